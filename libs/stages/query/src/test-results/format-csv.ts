import type { TestResult } from './list-test-results';

const COLUMNS = ['urn', 'entityType', 'outcome', 'computed'] as const;

/** Formats results as CSV (RFC 4180), with a line of names first. Times are those of ISO 8601. */
export function formatCsv(results: readonly TestResult[]): string {
  const lines = results.map(({ urn, entityType, outcome, computedMillis }) => [
    urn,
    entityType,
    outcome,
    computedMillis === undefined ? '' : new Date(computedMillis).toISOString(),
  ]);
  return [COLUMNS, ...lines].map((line) => `${line.map(quote).join(',')}\r\n`).join('');
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
