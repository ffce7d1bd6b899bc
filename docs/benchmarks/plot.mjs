/**
 * Draws `history.svg` from `measurements.jsonl`: a panel for each entry of `plots.json`, with the date to the right, the
 * figure upwards from zero, and a dashed line at the goal. `npm run bench -- record` runs it. With `--print` it writes
 * to standard output instead.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const DAY_MS = 86_400_000;
const COLUMNS = 3;
const PANEL = { width: 250, height: 118, gap: 26, left: 8, right: 58, top: 34, bottom: 18 };
const INNER = {
  width: PANEL.width - PANEL.left - PANEL.right,
  height: PANEL.height - PANEL.top - PANEL.bottom,
};

const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Text as XML takes it. */
function escapeText(text) {
  return String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** A figure with its unit; a share of the floor has no unit and is shown in percent. */
function formatFigure(value, unit) {
  if (unit === '') return `${Math.round(value * 100)}%`;
  const number = value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 });
  return unit.startsWith('/') ? number + unit : `${number} ${unit}`;
}

function selectPoints({ bench, cases, datasets, figure }, measurements) {
  return measurements
    .filter(
      (each) =>
        each.bench === bench &&
        cases.includes(each.case) &&
        each.figures[figure] !== undefined &&
        (datasets === undefined || each.sizes?.datasets === datasets),
    )
    .map((each) => ({ day: Date.parse(each.date) / DAY_MS, value: each.figures[figure] }));
}

function drawPanel(plot, points, days, at) {
  const { title, unit, atLeast, atMost } = plot;
  const goal = atLeast ?? atMost;
  const largest = Math.max(goal, ...points.map(({ value }) => value)) * 1.08;
  const toX = (day) => PANEL.left + Math.round(((day - days[0]) / (days[1] - days[0] || 1)) * INNER.width);
  const toY = (value) => PANEL.top + Math.round((1 - value / largest) * INNER.height);
  const x = 16 + (at % COLUMNS) * (PANEL.width + PANEL.gap);
  const y = 12 + Math.floor(at / COLUMNS) * (PANEL.height + PANEL.gap);
  const [bottom, right] = [toY(0), PANEL.left + INNER.width];
  const last = points.at(-1);
  return `<g transform="translate(${x} ${y})">
<text class="title" x="0" y="12">${escapeText(title)}</text>
<text class="note" x="0" y="26">goal: ${atLeast === undefined ? 'at most' : 'at least'} ${formatFigure(goal, unit)}</text>
<path class="axis" d="M${PANEL.left} ${bottom}H${right}"/>
<path class="goal" d="M${PANEL.left} ${toY(goal)}H${right}"/>
<path class="line" d="M${points.map(({ day, value }) => `${toX(day)} ${toY(value)}`).join('L')}"/>
${points.map(({ day, value }) => `<circle cx="${toX(day)}" cy="${toY(value)}" r="2.5"/>`).join('')}
<text class="value" x="${toX(last.day) + 6}" y="${toY(last.value) + 4}">${formatFigure(last.value, unit)}</text>
<text class="note" x="${PANEL.left}" y="${bottom + 14}">${formatDay(days[0])}</text>
<text class="note" x="${right}" y="${bottom + 14}" text-anchor="end">${formatDay(days[1])}</text>
</g>`;
}

function formatDay(day) {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

function drawChart(plots, measurements) {
  const all = measurements.map(({ date }) => Date.parse(date) / DAY_MS);
  const days = [Math.min(...all), Math.max(...all)];
  const panels = plots.map((plot, at) => {
    const points = selectPoints(plot, measurements);
    if (points.length === 0) throw new Error(`no measurement for "${plot.title}"`);
    return drawPanel(plot, points, days, at);
  });
  const width = 32 + COLUMNS * PANEL.width + (COLUMNS - 1) * PANEL.gap;
  const height = 12 + Math.ceil(plots.length / COLUMNS) * (PANEL.height + PANEL.gap);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Figures of the benchmarks by date, with their goals">
<style>
svg { background: #ffffff; font: 11px system-ui, sans-serif; }
.title { font-weight: 600; fill: #1f2328; } .note { fill: #57606a; } .value { font-weight: 600; fill: #1f5a96; }
.axis, .goal, .line { fill: none; } .axis { stroke: #d0d7de; } .line { stroke: #2f6fb5; stroke-width: 1.5; } circle { fill: #2f6fb5; }
.goal { stroke: #b3541e; stroke-width: 1.5; stroke-dasharray: 4 3; }
@media (prefers-color-scheme: dark) {
svg { background: #0d1117; } .title { fill: #e6edf3; } .note { fill: #9aa5b1; } .value { fill: #9cc7f5; }
.axis { stroke: #30363d; } .line { stroke: #6aa6e8; } circle { fill: #6aa6e8; } .goal { stroke: #f0a36b; }
}
</style>
${panels.join('\n')}
</svg>
`;
}

const measurements = read('measurements.jsonl')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));
const chart = drawChart(JSON.parse(read('plots.json')), measurements);
if (process.argv.includes('--print')) process.stdout.write(chart);
else writeFileSync(new URL('history.svg', import.meta.url), chart);
