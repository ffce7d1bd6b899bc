import {
  OffsetConflictError,
  UnavailableError,
  type ProposalEntry,
  type Steps,
  type WriteOutcome,
} from '@stratalog/model';
import { inSlices, type Batch, type BatchHandler, type LogRecord } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import { checkRecord, isDoubtful, type UnknownAspects } from './check-record';
import type { CheckedRecord } from './checked-record';
import { commit, commitAll, outcomeUnknown, type CommitDeps } from './commit-records';

export interface ProposalHandlerOptions extends CommitDeps {
  readonly registry: EntityRegistry;
  /** `park` unless given. */
  readonly unknownAspects?: UnknownAspects;
  /** Whether no process has started with another model since; asked only when it matters. */
  readonly isModelCurrent?: () => Promise<boolean>;
  /** Told about a record that was set aside because applying it failed, with the cause. */
  readonly onPoison: (record: LogRecord<ProposalEntry>, cause: unknown) => void;
}

/**
 * The writer: checks the records of a batch, lets the store apply them in one transaction, or in several where patches of large values are too
 * much work for one, and answers what became of each.
 *
 * **Errors**: a store that is away is a `retry`, and so is a record that a newer model might take while this process still runs with an older
 * one: then the writer of the partition is restarted next, and nothing was rejected or cut meanwhile. Anything else is the fault of a record: the batch is applied record by record, and
 * the one that fails is set aside with the reason, so that it delays nobody else.
 */
export function proposalHandler(options: ProposalHandlerOptions): BatchHandler<ProposalEntry, WriteOutcome> {
  return async (batch) => {
    const checked = await inSlices(checkRecords(batch, options));
    try {
      await rejectOutdated(options, batch, checked);
      return { kind: 'done', results: await commitAll(options, batch, checked) };
    } catch (error) {
      if (isPassing(error)) return { kind: 'retry', cause: error };
    }
    try {
      return { kind: 'done', results: await isolate(options, batch, checked) };
    } catch (error) {
      return { kind: 'retry', cause: outcomeUnknown(error) };
    }
  };
}

function* checkRecords(
  { records, ranges }: Batch<ProposalEntry>,
  { registry, unknownAspects }: ProposalHandlerOptions,
): Steps<readonly CheckedRecord[]> {
  const unlogged = new Set(ranges.flatMap((range) => (range.unlogged === true ? [range.partition] : [])));
  const checked: CheckedRecord[] = [];
  for (const record of records) {
    const isUnlogged = unlogged.has(record.partition);
    checked.push(yield* checkRecord(record, registry, { unknownAspects, isUnlogged }));
    yield;
  }
  return checked;
}

/** **Errors**: `UnavailableError` when a record is doubtful and another model than ours is the store's by now. */
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

function isPassing(error: unknown): boolean {
  return error instanceof UnavailableError || error instanceof OffsetConflictError;
}

/** Applies the records one by one; one that the store cannot apply is set aside in its place. */
async function isolate(
  options: ProposalHandlerOptions,
  batch: Batch<ProposalEntry>,
  checked: readonly CheckedRecord[],
): Promise<readonly WriteOutcome[]> {
  const results: WriteOutcome[] = [];
  for (const [at, single] of splitSingles(batch).entries()) {
    const record = single.records[0];
    const own = checked[at];
    if (record === undefined || own === undefined) continue;
    try {
      results.push(...(await commit(options, single, [own])));
    } catch (error) {
      if (isPassing(error)) throw error;
      options.onPoison(record, error);
      await commit(options, single, [poisoned(record)]);
      results.push({ kind: 'failed', cause: error });
    }
  }
  return results;
}

/** Set aside as rejected, because it must not come again; whoever waits for it learns that the fault is ours. */
function poisoned(record: LogRecord<ProposalEntry>): CheckedRecord {
  const { partition, offset, content } = record;
  return {
    kind: 'rejected',
    reason: 'Applying the proposal failed inside the catalog; it is kept aside',
    position: { partition, offset },
    content: content.kind === 'decoded' ? { proposal: content.value } : { bytes: content.bytes },
  };
}

/** The batch cut into one batch for each record; what lies between two records goes with the second. */
function splitSingles(batch: Batch<ProposalEntry>): readonly Batch<ProposalEntry>[] {
  const rest = new Map(batch.ranges.map((range) => [range.partition, range]));
  const last = new Map(batch.records.map((record) => [record.partition, record]));
  return batch.records.map((record) => {
    const { partition, offset } = record;
    const range = rest.get(partition) ?? { partition, from: offset - 1, to: offset };
    const to = last.get(partition) === record ? range.to : offset;
    rest.set(partition, { ...range, from: to });
    return { records: [record], ranges: [{ ...range, to }] };
  });
}
