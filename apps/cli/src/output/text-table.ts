import { printable } from './printable';

/**
 * Formats a table of left-aligned columns, two blanks apart, with {@link printable} cells; cuts the last
 * column so that a line fits `width`.
 */
export function textTable(cells: readonly (readonly string[])[], width = Number.POSITIVE_INFINITY): string {
  const rows = cells.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  return rows.map((row) => `${line(row, widths, width)}\n`).join('');
}

function line(row: readonly string[], widths: readonly number[], width: number): string {
  const last = row.length - 1;
  const head = row
    .slice(0, last)
    .map((cell, column) => `${cell.padEnd(widths[column] ?? 0)}  `)
    .join('');
  const room = Math.max(width - head.length, 10);
  return cutLine(head + cutLine(row[last] ?? '', room));
}

/** Cuts a line that is longer than `width`, without blanks at its end. */
export function cutLine(text: string, width = Number.POSITIVE_INFINITY): string {
  return (text.length <= width ? text : `${text.slice(0, width - 1)}…`).trimEnd();
}
