import { formatCsvLine } from '@stratalog/domain';
import type { TestResult } from './list-test-results';

const COLUMNS = ['urn', 'entityType', 'outcome', 'computed', 'reason'] as const;

/** Formats results as CSV, with a line of names first. Times are those of ISO 8601. */
export function formatCsv(results: readonly TestResult[]): string {
  const lines = results.map(({ urn, entityType, outcome, computedMillis, reason = '' }) => [
    urn,
    entityType,
    outcome,
    computedMillis === undefined ? '' : new Date(computedMillis).toISOString(),
    reason,
  ]);
  return [COLUMNS, ...lines].map(formatCsvLine).join('');
}
