import {
  OffsetConflictError,
  UnavailableError,
  type ProposalEntry,
  type Steps,
  type WriteOutcome,
} from '@stratalog/model';
import { inSlices, type Batch, type BatchHandler, type LogRecord } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import { checkRecord, isDoubtful, type CheckedRecord, type UnknownAspects } from './check-record';
import { commit, commitAll, outcomeUnknown, type CommitDeps } from './commit-records';

export interface ProposalHandlerOptions extends CommitDeps {
  readonly registry: EntityRegistry;
  /** Default: `dead-letter`. */
  readonly unknownAspects?: UnknownAspects;
  /** True when no process has started with another model since. The handler calls it only for doubtful records. */
  readonly isModelCurrent?: () => Promise<boolean>;
  /** Called with a record that failed to apply, and the cause; the record becomes a dead letter. */
  readonly onPoison: (record: LogRecord<ProposalEntry>, cause: unknown) => void;
}

/**
 * The writer: checks the records of a batch, applies them in one transaction, and returns their outcomes. It uses
 * several transactions when patches of large values exceed one.
 *
 * **Errors**: returns `retry` when the store is unavailable. Also for a record that a newer stored model might
 * accept: nothing is rejected until the writer restarts with that model. After any other error the batch is applied
 * record by record; a failing record becomes a dead letter, so it does not block the others.
 */
export function proposalHandler(options: ProposalHandlerOptions): BatchHandler<ProposalEntry, WriteOutcome> {
  return async (batch) => {
    const checked = await inSlices(checkRecords(batch, options));
    try {
      await rejectOutdated(options, batch, checked);
      return { kind: 'done', results: await commitAll(options, batch, checked) };
    } catch (error) {
      if (isTransient(error)) return { kind: 'retry', cause: error };
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

/** Applies the records one by one; a record that the store cannot apply becomes a dead letter. */
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
      if (isTransient(error)) throw error;
      options.onPoison(record, error);
      await commit(options, single, [toDeadLetter(record)]);
      results.push({ kind: 'failed', cause: error });
    }
  }
  return results;
}

/** Builds a rejection for the dead letter, so the record is not applied again. The waiting caller gets a fault. */
function toDeadLetter(record: LogRecord<ProposalEntry>): CheckedRecord {
  const { partition, offset, content } = record;
  return {
    kind: 'rejected',
    reason: 'Applying the proposal failed inside the catalog; it is a dead letter',
    position: { partition, offset },
    content: content.kind === 'decoded' ? { proposal: content.value } : { bytes: content.bytes },
  };
}

/** Splits the batch into one batch per record; offsets between two records belong to the second. */
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
