/** Spreadsheets take a cell that begins with one of these for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const SPECIAL = /[",\r\n]/;

/**
 * Formats a line of CSV (RFC 4180), with its end. A cell that a spreadsheet would take for a formula begins with an apostrophe, so
 * that a name in the catalog cannot make the spreadsheet of a reader do something.
 */
export function formatCsvLine(cells: readonly string[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`;
}

function formatCell(cell: string): string {
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
