import {
  OffsetConflictError,
  UnavailableError,
  aspectKey,
  timeseriesValueId,
  type ProposalEntry,
  type WriteOutcome,
} from '@stratalog/model';
import {
  inSlices,
  type AspectRead,
  type AspectStore,
  type Batch,
  type LogRange,
  type ReferenceLookup,
  type TimeseriesValueRef,
} from '@stratalog/ports';
import type { RetentionPolicies } from '@stratalog/retention';
import { toTimeseriesValue, toTimeseriesRanges } from './apply-timeseries';
import { listAccepted, listDeletedEntities, type AcceptedRecord, type CheckedRecord } from './check-record';
import { decideWrites } from './decide-writes';

export interface CommitDeps {
  readonly store: Pick<AspectStore, 'commit'>;
  readonly policies: Pick<RetentionPolicies, 'current' | 'written'>;
}

/** Applies all records, in as many commits as they need. */
export async function commitAll(
  deps: CommitDeps,
  batch: Batch<ProposalEntry>,
  checked: readonly CheckedRecord[],
): Promise<readonly WriteOutcome[]> {
  const results = await commit(deps, batch, checked);
  const { length } = results;
  if (length === 0 || length === checked.length) return results;
  try {
    return [...results, ...(await commitAll(deps, splitAt(batch, length).rest, checked.slice(length)))];
  } catch (error) {
    throw outcomeUnknown(error);
  }
}

/** Applies the first records, as many as one transaction can take, and returns their outcomes. */
export async function commit(
  { store, policies }: CommitDeps,
  batch: Batch<ProposalEntry>,
  checked: readonly CheckedRecord[],
): Promise<readonly WriteOutcome[]> {
  const rules = await policies.current();
  const accepted = listAccepted(checked);
  const outcomes = await store.commit({
    ranges: batch.ranges,
    reads: collectReads(accepted),
    wholes: listDeletedEntities(accepted),
    timeseriesValues: toTimeseriesValues(accepted),
    timeseriesRanges: toTimeseriesRanges(accepted),
    referenceLookups: collectReferenceLookups(accepted),
    decide: async (snapshot) => {
      const writes = await inSlices(decideWrites(checked, snapshot, rules));
      const { length } = writes.outcomes;
      return length === checked.length ? writes : { ...writes, ranges: splitAt(batch, length).ranges };
    },
  });
  policies.written(accepted.map(({ urn }) => urn));
  return outcomes;
}

/** Collects each aspect that a record may replace or that its preconditions name, once. */
function collectReads(records: readonly AcceptedRecord[]): readonly AspectRead[] {
  const reads = new Map<string, AspectRead>();
  const add = (urn: string, aspectName: string, isWhole: boolean): void => {
    const key = aspectKey({ urn, aspectName });
    reads.set(key, { urn, aspectName, whole: isWhole || reads.get(key)?.whole === true });
  };
  for (const record of records) {
    const { urn, aspectName, key, preconditions } = record;
    add(urn, aspectName, needsValue(record));
    if (preconditions.keyVersion !== undefined) add(urn, key.aspectName, false);
  }
  return [...reads.values()];
}

/** True when the record's new value, or its rejection, depends on the stored value. */
function needsValue({ changeType, value, rejectReferences, rule }: AcceptedRecord): boolean {
  if (rejectReferences !== undefined || rule !== undefined) return true;
  return changeType === 'PATCH' || (changeType === 'RESTATE' && value === undefined);
}

/** Collects each timeseries value that a record may replace, once. */
function toTimeseriesValues(records: readonly AcceptedRecord[]): readonly TimeseriesValueRef[] {
  const refs = records.flatMap((record) => toTimeseriesValue(record) ?? []);
  return [...new Map(refs.map((ref) => [timeseriesValueId(ref), ref])).values()];
}

/**
 * Collects the references that default aspects and rules depend on, once each. Before the read it is unknown which entities are
 * new.
 */
function collectReferenceLookups(records: readonly AcceptedRecord[]): readonly ReferenceLookup[] {
  const referenceLookups = new Map<string, ReferenceLookup>();
  for (const record of records) {
    for (const neighbour of [...record.neighbours(), ...(record.rule?.neighbours() ?? [])])
      referenceLookups.set(aspectKey(neighbour), neighbour);
  }
  return [...referenceLookups.values()];
}

/** Splits the batch after `count` records; returns the ranges of the first part, and the rest. */
function splitAt(
  { records, ranges }: Batch<ProposalEntry>,
  count: number,
): { readonly ranges: readonly LogRange[]; readonly rest: Batch<ProposalEntry> } {
  const left = records.slice(count);
  const taken = new Map(records.slice(0, count).map(({ partition, offset }) => [partition, offset]));
  const endOf = ({ partition, from, to }: LogRange): number =>
    left.some((record) => record.partition === partition) ? (taken.get(partition) ?? from) : to;
  return {
    ranges: ranges.map((range) => ({ ...range, to: endOf(range) })),
    rest: {
      records: left,
      ranges: ranges.map((range) => ({ ...range, from: endOf(range) })).filter(({ from, to }) => from < to),
    },
  };
}

/**
 * Converts a conflict after an earlier unclear failure. The earlier commit itself may have moved the offset, and a
 * caller that receives {@link OffsetConflictError} might append the same proposals again.
 */
export function outcomeUnknown(error: unknown): unknown {
  if (!(error instanceof OffsetConflictError)) return error;
  return new UnavailableError('Whether the proposals were applied is not known', { cause: error });
}
