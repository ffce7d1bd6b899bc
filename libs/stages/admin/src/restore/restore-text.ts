/** The parameters of a restore, with every default. */
export interface RestoreArguments {
  readonly start: number;
  readonly batchSize: number;
  readonly limit: number;
  readonly gePitEpochMs: number;
  readonly lePitEpochMs: number;
  readonly aspect?: string | undefined;
  readonly urn?: string | undefined;
  readonly urnLike?: string | undefined;
}

/** The result of one batch of a restore. */
export interface RestoreResult {
  /** Aspects that the model does not know, or that were deleted meanwhile. */
  readonly ignored: number;
  readonly rowsMigrated: number;
  readonly timeSqlQueryMs: number;
  readonly sendMessageMs: number;
  readonly lastUrn: string;
  readonly lastAspect: string;
}

/** Results that an answer holds; further batches are summed in the last one. */
const MAX_RESULTS = 1_000;

/** Adds the result of a batch, in bounded space. */
export function addResult(
  results: readonly RestoreResult[],
  result: RestoreResult,
): readonly RestoreResult[] {
  const last = results.at(-1);
  if (last === undefined || results.length < MAX_RESULTS) return [...results, result];
  return [
    ...results.slice(0, -1),
    {
      ...result,
      ignored: last.ignored + result.ignored,
      rowsMigrated: last.rowsMigrated + result.rowsMigrated,
      timeSqlQueryMs: last.timeSqlQueryMs + result.timeSqlQueryMs,
      sendMessageMs: last.sendMessageMs + result.sendMessageMs,
    },
  ];
}

/**
 * Formats the answer to `restoreIndices` as the reference does: the text form of its records, which is no JSON. Results of
 * several batches follow one another, a line each.
 *
 * **Source**: `docs/wire-decisions.md`, Operations.
 */
export function formatRestore(args: RestoreArguments, results: readonly RestoreResult[]): string {
  return `{args=${formatArguments(args)}, result=${results.map(formatResult).join('\n')}}`;
}

function formatArguments({ aspect, urn, urnLike, ...numbers }: RestoreArguments): string {
  const { start, batchSize, limit, gePitEpochMs, lePitEpochMs } = numbers;
  return toRecord('RestoreIndicesArgs', {
    start,
    batchSize,
    limit,
    numThreads: 1,
    batchDelayMs: 1,
    gePitEpochMs,
    lePitEpochMs,
    aspectName: aspect ?? null,
    urn: urn ?? null,
    urnLike: urnLike ?? null,
    urnBasedPagination: false,
    lastUrn: '',
    lastAspect: '',
  });
}

function formatResult(result: RestoreResult): string {
  return toRecord('RestoreIndicesResult', toResultRecord(result));
}

/** The members of a result in the reference, which measures more steps than there are here. */
export function toResultRecord({
  ignored,
  rowsMigrated,
  ...rest
}: RestoreResult): Readonly<Record<string, string | number>> {
  const { timeSqlQueryMs, sendMessageMs, lastUrn, lastAspect } = rest;
  return {
    ignored,
    rowsMigrated,
    timeSqlQueryMs,
    timeGetRowMs: 0,
    timeUrnMs: 0,
    timeEntityRegistryCheckMs: 0,
    aspectCheckMs: 0,
    createRecordMs: 0,
    sendMessageMs,
    defaultAspectsCreated: 0,
    lastUrn,
    lastAspect,
  };
}

function toRecord(name: string, members: Readonly<Record<string, string | number | boolean | null>>): string {
  const pairs = Object.entries(members).map(([member, value]) => `${member}=${String(value)}`);
  return `${name}(${pairs.join(', ')})`;
}
