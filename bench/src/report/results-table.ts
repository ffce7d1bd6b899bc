import type { JudgedGoal, Measurement } from './measurement';

/**
 * Formats the goals of a run with their measurements, for people; measurements without a goal are in the JSON
 * lines only.
 */
export function resultsTable(measurements: readonly Measurement[]): string {
  const rows = measurements.flatMap((measurement) =>
    measurement.goal.map((goal) => [
      measurement.case,
      goal.of,
      wanted(goal),
      goal.got === null ? 'not measured' : rounded(goal.got),
      goal.met ? 'met' : missedBy(goal),
    ]),
  );
  const table = [['case', 'measure', 'goal', 'result', ''], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => (row[column] ?? '').length)));
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function wanted({ atLeast, atMost }: JudgedGoal): string {
  return atLeast === undefined ? `<= ${rounded(atMost ?? 0)}` : `>= ${rounded(atLeast)}`;
}

function missedBy({ atLeast, atMost, got }: JudgedGoal): string {
  const bound = atLeast ?? atMost ?? 0;
  if (got === null || bound === 0) return 'MISSED';
  return `MISSED by ${String(Math.round((Math.abs(got - bound) / bound) * 100))}%`;
}

function rounded(value: number): string {
  return String(value >= 100 ? Math.round(value) : Math.round(value * 100) / 100);
}
