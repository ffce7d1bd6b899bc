import {
  LogMovedError,
  UnavailableError,
  aspectKey,
  pointId,
  type ProposalEntry,
  type WriteOutcome,
} from '@stratalog/model';
import type {
  AspectRead,
  AspectStore,
  Batch,
  BatchHandler,
  LogRecord,
  Look,
  PointRef,
} from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import type { RetentionPolicies } from '@stratalog/retention';
import { pointOf, pointSpansOf } from './apply-points';
import { checkRecord, isDoubtful, type UnknownAspects } from './check-record';
import { acceptedIn, deletedBy, type AcceptedRecord, type CheckedRecord } from './checked-record';
import { decideWrites } from './decide-writes';

export interface ProposalHandlerOptions {
  readonly store: Pick<AspectStore, 'commit'>;
  readonly registry: EntityRegistry;
  readonly policies: Pick<RetentionPolicies, 'current' | 'written'>;
  /** `park` unless given. */
  readonly unknownAspects?: UnknownAspects;
  /** Whether no process has started with another model since; asked only when it matters. */
  readonly isModelCurrent?: () => Promise<boolean>;
  /** Told about a record that was set aside because applying it failed, with the cause. */
  readonly onPoison: (record: LogRecord<ProposalEntry>, cause: unknown) => void;
}

/**
 * The writer: checks the records of a batch, lets the store apply them in one transaction, and answers what became of each.
 *
 * **Errors**: a store that is away is a `retry`, and so is a record that a newer model might take while this process still runs with an older
 * one: then the writer of the partition is restarted next, and nothing was refused or cut meanwhile. Anything else is the fault of a record: the batch is applied record by record, and
 * the one that fails is set aside with the reason, so that it delays nobody else.
 */
export function proposalHandler(options: ProposalHandlerOptions): BatchHandler<ProposalEntry, WriteOutcome> {
  return async (batch) => {
    const unlogged = new Set(
      batch.ranges.flatMap((range) => (range.unlogged === true ? [range.partition] : [])),
    );
    const checked = batch.records.map((record) =>
      checkRecord(record, options.registry, {
        unknownAspects: options.unknownAspects,
        isUnlogged: unlogged.has(record.partition),
      }),
    );
    try {
      await refuseOutdated(options, batch, checked);
      return { kind: 'done', results: await commit(options, batch, checked) };
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

/** **Errors**: `UnavailableError` when a record is doubtful and another model than ours is the store's by now. */
async function refuseOutdated(
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

/**
 * The first commit failed in a way that does not say whether it was applied. If the log has moved since, it may have been by that
 * very commit, and whoever sees a moved log may hand over the same proposals once more.
 */
function outcomeUnknown(error: unknown): unknown {
  if (!(error instanceof LogMovedError)) return error;
  return new UnavailableError('Whether the proposals were applied is not known', { cause: error });
}

function isPassing(error: unknown): boolean {
  return error instanceof UnavailableError || error instanceof LogMovedError;
}

async function commit(
  { store, policies }: ProposalHandlerOptions,
  batch: Pick<Batch<ProposalEntry>, 'ranges'>,
  checked: readonly CheckedRecord[],
): Promise<readonly WriteOutcome[]> {
  const rules = await policies.current();
  const accepted = acceptedIn(checked);
  const outcomes = await store.commit({
    ranges: batch.ranges,
    reads: readsOf(accepted),
    wholes: deletedBy(accepted),
    points: pointsOf(accepted),
    pointSpans: pointSpansOf(accepted),
    looks: looksOf(accepted),
    decide: (snapshot) => decideWrites(checked, snapshot, rules),
  });
  policies.written(accepted.map(({ urn }) => urn));
  return outcomes;
}

/** Each aspect that a record may replace, once. */
function readsOf(records: readonly AcceptedRecord[]): readonly AspectRead[] {
  const reads = new Map<string, AspectRead>();
  for (const record of records) {
    const { urn, aspectName } = record;
    const key = aspectKey(record);
    const whole = reads.get(key)?.whole === true || needsValue(record);
    reads.set(key, { urn, aspectName, whole });
  }
  return [...reads.values()];
}

/** What it writes is made from what is there. */
function needsValue({ changeType, value }: AcceptedRecord): boolean {
  return changeType === 'PATCH' || (changeType === 'RESTATE' && value === undefined);
}

/** Each point that a record may replace, once. */
function pointsOf(records: readonly AcceptedRecord[]): readonly PointRef[] {
  const refs = records.flatMap((record) => pointOf(record) ?? []);
  return [...new Map(refs.map((ref) => [pointId(ref), ref])).values()];
}

/** What the defaults of new entities depend on, once each. Which entities are new is not known before the read. */
function looksOf(records: readonly AcceptedRecord[]): readonly Look[] {
  const looks = new Map<string, Look>();
  for (const record of records) {
    for (const neighbour of record.neighbours()) looks.set(aspectKey(neighbour), neighbour);
  }
  return [...looks.values()];
}

/** Applies the records one by one; one that the store cannot apply is set aside in its place. */
async function isolate(
  options: ProposalHandlerOptions,
  batch: Batch<ProposalEntry>,
  checked: readonly CheckedRecord[],
): Promise<readonly WriteOutcome[]> {
  const results: WriteOutcome[] = [];
  for (const [at, single] of singlesOf(batch).entries()) {
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

/** Set aside as refused, because it must not come again; whoever waits for it learns that the fault is ours. */
function poisoned(record: LogRecord<ProposalEntry>): CheckedRecord {
  const { partition, offset, content } = record;
  return {
    kind: 'refused',
    reason: 'Applying the proposal failed inside the catalog; it is kept aside',
    position: { partition, offset },
    content: content.kind === 'decoded' ? { proposal: content.value } : { bytes: content.bytes },
  };
}

/** The batch cut into one batch for each record; what lies between two records goes with the second. */
function singlesOf(batch: Batch<ProposalEntry>): readonly Batch<ProposalEntry>[] {
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
