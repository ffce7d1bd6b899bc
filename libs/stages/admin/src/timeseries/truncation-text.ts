/** How a truncation is announced: the reference either copies what stays, or deletes what goes. */
export interface TruncationMethod {
  readonly forceDeleteByQuery?: boolean | undefined;
  readonly forceReindex?: boolean | undefined;
}

export interface TruncationSize {
  /** Values to delete. */
  readonly matching: number;
  readonly total: number;
}

/** The answer to a call that sets both flags alike. */
export const BOTH_FLAGS = 'please only set forceReindex OR forceDeleteByQuery flags';
const DRY_RUN = 'This was a dry run. Run with dryRun = false to execute.';

/** True when a call sets both flags, to the same value. */
export function hasBothFlags({ forceDeleteByQuery, forceReindex }: TruncationMethod): boolean {
  return forceDeleteByQuery !== undefined && forceDeleteByQuery === forceReindex;
}

/**
 * Words the plan of a truncation as the reference does. More than half of all values, or `forceReindex`, selects the
 * sentence about reindexing.
 *
 * **Source**: `docs/wire-decisions.md`, Operations.
 */
export function describePlan({ matching, total }: TruncationSize, method: TruncationMethod): string {
  const percent = ((matching / total) * 100).toFixed(2);
  const reindexes =
    method.forceDeleteByQuery !== true && (method.forceReindex === true || matching > Math.floor(total / 2));
  const how = reindexes
    ? 'Reindexing the aspect without the deleted records. '
    : 'Issuing a delete by query request. ';
  return `Delete ${String(matching)} out of ${String(total)} rows (${percent}%). ${how}`;
}

/** The whole answer to a dry run. */
export function describeDryRun(size: TruncationSize, method: TruncationMethod): string {
  return `${describePlan(size, method)}${DRY_RUN}`;
}
