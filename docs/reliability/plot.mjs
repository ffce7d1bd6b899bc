/**
 * Draws `recovery.svg` from the longest run in `runs.jsonl` that measured how long each fault took: a bar up to the median, a
 * line up to the longest time, and a dashed line at the limit. With `--print` it writes to standard output instead.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const LIMIT_SECONDS = 60;
const CHART = { left: 250, width: 420, right: 110, top: 34, pitch: 22, bar: 12 };

const toX = (seconds) => CHART.left + Math.round((seconds / LIMIT_SECONDS) * CHART.width);

function drawFault([fault, [median, longest]], at) {
  const y = CHART.top + at * CHART.pitch;
  const middle = y + CHART.bar / 2;
  return `<text class="fault" x="${CHART.left - 8}" y="${y + 10}" text-anchor="end">${fault}</text>
<path class="longest" d="M${CHART.left} ${middle}H${toX(longest)}"/>
<rect class="median" x="${CHART.left}" y="${y}" width="${toX(median) - CHART.left}" height="${CHART.bar}" rx="2"/>
<circle cx="${toX(longest)}" cy="${middle}" r="3"/>
<text class="note" x="${toX(LIMIT_SECONDS) + 10}" y="${y + 10}">${median}, ${longest} s</text>`;
}

function drawChart({ date, seed, recoverySeconds }) {
  const faults = Object.entries(recoverySeconds).sort(([, [one]], [, [other]]) => one - other);
  const bottom = CHART.top + faults.length * CHART.pitch;
  const limit = toX(LIMIT_SECONDS);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${limit + CHART.right} ${bottom + 12}" role="img" aria-label="Median and longest time until each fault was over, with the limit">
<style>
svg { background: #ffffff; font: 11px system-ui, sans-serif; }
.title { font-weight: 600; fill: #1f2328; } .fault { fill: #1f2328; } .note { fill: #57606a; }
.median, circle { fill: #2f6fb5; } .longest { stroke: #2f6fb5; stroke-width: 1.5; } .limit { stroke: #b3541e; stroke-width: 1.5; stroke-dasharray: 4 3; }
@media (prefers-color-scheme: dark) {
svg { background: #0d1117; } .title, .fault { fill: #e6edf3; } .note { fill: #9aa5b1; }
.median, circle { fill: #6aa6e8; } .longest { stroke: #6aa6e8; } .limit { stroke: #f0a36b; }
}
</style>
<text class="title" x="8" y="16">seconds until over: median, longest (distributed, seed ${seed}, ${date})</text>
<text class="note" x="${limit}" y="16" text-anchor="end">limit ${LIMIT_SECONDS} s</text>
<path class="limit" d="M${limit} ${CHART.top - 10}V${bottom}"/>
${faults.map(drawFault).join('\n')}
</svg>
`;
}

const runs = readFileSync(new URL('runs.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line))
  .filter(({ recoverySeconds }) => recoverySeconds !== undefined)
  .sort((one, other) => other.figures.rounds - one.figures.rounds);
const chart = drawChart(runs[0]);
if (process.argv.includes('--print')) process.stdout.write(chart);
else writeFileSync(new URL('recovery.svg', import.meta.url), chart);
