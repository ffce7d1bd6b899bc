/**
 * Draws `history.svg` from the series of `history.json`: one panel of bars for each series, with a line at its goal.
 * Run it as `node docs/benchmarks/plot.mjs` after a change of the data.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const PANEL = { width: 400, left: 190, gap: 30, title: 22, bar: 14, pitch: 19 };

/** Text as XML takes it. */
function escapeText(text) {
  return String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function drawPanel({ name, unit, goal, values }, x, y) {
  const largest = Math.max(goal, ...values.map(([, value]) => value));
  const scale = (value) => Math.round((value / largest) * (PANEL.width - PANEL.left - 50));
  const bars = values.map(([state, value], at) => {
    const top = PANEL.title + at * PANEL.pitch;
    return [
      `<text class="state" x="${PANEL.left - 8}" y="${top + 11}" text-anchor="end">${escapeText(state)}</text>`,
      `<rect class="bar" x="${PANEL.left}" y="${top}" width="${scale(value)}" height="${PANEL.bar}" rx="2"/>`,
      `<text class="value" x="${PANEL.left + scale(value) + 5}" y="${top + 11}">${value.toLocaleString('en')}</text>`,
    ].join('');
  });
  const bottom = PANEL.title + values.length * PANEL.pitch;
  const line = PANEL.left + scale(goal);
  return `<g transform="translate(${x} ${y})">
<text class="title" x="0" y="12">${escapeText(name)} (${escapeText(unit)}, goal ${goal.toLocaleString('en')})</text>
<line class="goal" x1="${line}" y1="${PANEL.title - 4}" x2="${line}" y2="${bottom}"/>
${bars.join('\n')}
</g>`;
}

function drawChart(series) {
  const heights = [20, 20];
  const panels = series.map((each) => {
    const column = heights[0] <= heights[1] ? 0 : 1;
    const top = heights[column];
    heights[column] += PANEL.title + each.values.length * PANEL.pitch + PANEL.gap;
    return drawPanel(each, 20 + column * (PANEL.width + PANEL.gap), top);
  });
  const width = 40 + 2 * PANEL.width + PANEL.gap;
  const height = Math.max(...heights);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Measurements of each state with their goals">
<style>
svg { background: #ffffff; font: 11px system-ui, sans-serif; }
.title { font-weight: 600; fill: #1f2328; } .state, .value { fill: #57606a; }
.value { paint-order: stroke; stroke: #ffffff; stroke-width: 3px; }
.bar { fill: #2f6fb5; } .goal { stroke: #b3541e; stroke-width: 2; stroke-dasharray: 4 3; }
@media (prefers-color-scheme: dark) {
svg { background: #0d1117; } .title { fill: #e6edf3; } .state, .value { fill: #9aa5b1; } .value { stroke: #0d1117; }
.bar { fill: #6aa6e8; } .goal { stroke: #f0a36b; }
}
</style>
${panels.join('\n')}
</svg>
`;
}

const { series } = JSON.parse(readFileSync(new URL('history.json', import.meta.url), 'utf8'));
writeFileSync(new URL('history.svg', import.meta.url), drawChart(series));
