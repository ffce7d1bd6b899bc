import {
  OffsetConflictError,
  TimeLimitError,
  UnavailableError,
  proposalsIn,
  replayIn,
  type ProposalEntry,
  type WriteOutcome,
} from '@stratalog/domain';
import type { Steps } from '@stratalog/json';
import { BatchSize, inSlices, splitBatch } from '@stratalog/concurrency';
import type { Batch, BatchHandler, LogRange, LogRecord, Verdict } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import { checkRecord, isDoubtful, type CheckedRecord, type UnknownAspects } from './check-record';
import { commit, isLeft, outcomeUnknown, type CommitDeps } from './commit-records';

/** Most records of one commit. */
const MAX_RECORDS = 10_000;

export interface ProposalHandlerOptions extends CommitDeps {
  readonly registry: EntityRegistry;
  /** Default: `dead-letter`. */
  readonly unknownAspects?: UnknownAspects;
  /** True when no process has started with another model since. The handler calls it only for doubtful records. */
  readonly isModelCurrent?: () => Promise<boolean>;
}

/**
 * The writer: checks the records of a batch, and applies as many of them in one transaction as one can take. When patches
 * of large values exceed it, the verdict leaves the rest, so that other proposals go between.
 *
 * **Errors**: returns `retry` when the store is unavailable. Also for a record that a newer stored model might
 * accept: nothing is rejected until the writer restarts with that model. After any other error the batch is halved
 * until the store takes a part of it; a record that fails alone becomes a dead letter, so it does not block the others. One
 * whose statements take too long gets some attempts alone first.
 */
export function proposalHandler(options: ProposalHandlerOptions): BatchHandler<ProposalEntry, WriteOutcome> {
  const size = new BatchSize(MAX_RECORDS);
  return async (batch) => {
    const checked = await inSlices(checkRecords(batch, options));
    try {
      await rejectOutdated(options, batch, checked);
    } catch (error) {
      return { kind: 'retry', cause: error };
    }
    return applyFirst({ ...options, size }, batch, checked);
  };
}

function* checkRecords(
  { records, ranges }: Batch<ProposalEntry>,
  { registry, unknownAspects }: ProposalHandlerOptions,
): Steps<readonly CheckedRecord[]> {
  const rangeByPartition = new Map(ranges.map((range) => [range.partition, range]));
  const checked: CheckedRecord[] = [];
  for (const record of records) {
    const { unlogged: isUnlogged = false, ahead } = rangeByPartition.get(record.partition) ?? {};
    const isOrderedByUrn = isUnlogged || ahead !== undefined;
    checked.push(yield* checkRecord(record, registry, { unknownAspects, isUnlogged, isOrderedByUrn }));
    yield;
  }
  return checked;
}

/**
 * Stops the batch when a record is doubtful and the store has a newer model.
 *
 * **Errors**: `UnavailableError` in that case.
 */
async function rejectOutdated(
  { registry, isModelCurrent }: ProposalHandlerOptions,
  { records }: Batch<ProposalEntry>,
  checked: readonly CheckedRecord[],
): Promise<void> {
  const doubtful = records.some((record, at) => {
    const own = checked[at];
    return own !== undefined && isDoubtful(record, own, registry);
  });
  if (!doubtful || isModelCurrent === undefined || (await isModelCurrent())) return;
  throw new UnavailableError(
    'Another process has started with a newer model; this one must be restarted with it',
  );
}

function isTransient(error: unknown): boolean {
  return error instanceof UnavailableError || error instanceof OffsetConflictError;
}

/** Applies the first records of a batch: all, or after a failure half of them, until they succeed. */
async function applyFirst(
  options: ProposalHandlerOptions & { readonly size: BatchSize },
  batch: Batch<ProposalEntry>,
  checked: readonly CheckedRecord[],
): Promise<Verdict<WriteOutcome, ProposalEntry>> {
  const { size } = options;
  let failure: unknown;
  for (
    let count = Math.min(checked.length, size.items);
    ;
    count = Math.min(Math.ceil(count / 2), size.items)
  ) {
    const first = splitBatch(batch, (_, at) => at >= count).taken;
    try {
      const { outcomes, left } = await commit(options, first, checked.slice(0, count));
      size.succeeded(count);
      const isForLater = isLeft(checked, new Set([...left, ...checked.slice(count)]));
      const { rest } = splitBatch(batch, isForLater);
      return { kind: 'done', results: outcomes, ...(rest.records.length === 0 ? {} : { rest }) };
    } catch (error) {
      if (isTransient(error))
        return { kind: 'retry', cause: failure === undefined ? error : outcomeUnknown(error) };
      failure = error;
    }
    if (failure instanceof TimeLimitError) {
      // Each attempt takes as long as the limit and keeps its locks, so the records are applied one by one from now on.
      size.failed(1);
      if (count === 1 && !size.isCause(identify(batch))) return { kind: 'retry', cause: failure };
    }
    if (count <= 1) return setAside(options, batch, failure);
  }
}

/** Makes the first record of a batch, which the store cannot apply, a dead letter. */
async function setAside(
  options: ProposalHandlerOptions,
  batch: Batch<ProposalEntry>,
  cause: unknown,
): Promise<Verdict<WriteOutcome, ProposalEntry>> {
  const { taken, rest } = splitBatch(batch, (_, at) => at > 0);
  const [record] = taken.records;
  if (record === undefined) return { kind: 'retry', cause };
  const onDeadLetter: CommitDeps['onDeadLetter'] = (rejection) => {
    options.onDeadLetter(rejection, cause);
  };
  try {
    await commit({ ...options, onDeadLetter }, taken, [toDeadLetter(record, taken.ranges)]);
  } catch (error) {
    return { kind: 'retry', cause: outcomeUnknown(error) };
  }
  const results: readonly WriteOutcome[] = [{ kind: 'failed', cause }];
  return { kind: 'done', results, ...(rest.records.length === 0 ? {} : { rest }) };
}

/**
 * Builds a rejection for the dead letter, so the record is not applied again. The waiting caller gets a fault.
 *
 * A record without a place in the log takes the one that its commit gives it. One that passes the log's records gets
 * none, so only its caller hears of it.
 */
function toDeadLetter(
  { partition, offset, content }: LogRecord<ProposalEntry>,
  ranges: readonly LogRange[],
): CheckedRecord {
  const range = ranges.find((each) => each.partition === partition);
  const replay = content.kind === 'decoded' ? replayIn(content.value) : undefined;
  return {
    kind: 'rejected',
    cause: 'failed',
    ...(replay === undefined ? {} : { replay }),
    reason: 'Applying the proposal failed inside the catalog; it is a dead letter',
    position: { partition, offset: range?.unlogged === true ? range.to : offset },
    ...(range?.passing === undefined ? {} : { isDropped: true }),
    content: content.kind === 'decoded' ? { proposal: content.value } : { bytes: content.bytes },
  };
}

/** Identifies the first record of a batch; one that the log does not hold yet by its urns. */
function identify({ records: [record], ranges }: Batch<ProposalEntry>): string {
  if (record === undefined) return '';
  const { partition, offset, content } = record;
  const isUnlogged = ranges.some((range) => range.partition === partition && range.unlogged === true);
  if (!isUnlogged || content.kind !== 'decoded') return `${String(partition)}:${String(offset)}`;
  return proposalsIn(content.value)
    .map(({ urn, aspectName }) => `${urn} ${aspectName}`)
    .join('\n');
}
