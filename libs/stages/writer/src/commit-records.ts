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
  type WriteSnapshot,
} from '@stratalog/ports';
import type { RetentionPolicies } from '@stratalog/retention';
import { toTimeseriesValue, toTimeseriesRanges } from './apply-timeseries';
import { acceptedIn, deletedBy, type AcceptedRecord, type CheckedRecord } from './checked-record';
import { decideWrites } from './decide-writes';

export interface CommitDeps {
  readonly store: Pick<AspectStore, 'commit'>;
  readonly policies: Pick<RetentionPolicies, 'current' | 'written'>;
}

/** Applies all records, in as many commits as it takes. */
export async function commitAll(
  parts: CommitDeps,
  batch: Batch<ProposalEntry>,
  checked: readonly CheckedRecord[],
): Promise<readonly WriteOutcome[]> {
  const results = await commit(parts, batch, checked);
  const { length } = results;
  if (length === 0 || length === checked.length) return results;
  try {
    return [...results, ...(await commitAll(parts, cutAt(batch, length).rest, checked.slice(length)))];
  } catch (error) {
    throw outcomeUnknown(error);
  }
}

/** Answers the outcomes of those records, from the first on, that one transaction has room for. */
export async function commit(
  { store, policies }: CommitDeps,
  batch: Batch<ProposalEntry>,
  checked: readonly CheckedRecord[],
): Promise<readonly WriteOutcome[]> {
  const rules = await policies.current();
  const accepted = acceptedIn(checked);
  const outcomes = await store.commit({
    ranges: batch.ranges,
    reads: readsOf(accepted),
    wholes: deletedBy(accepted),
    timeseriesValues: toTimeseriesValues(accepted),
    timeseriesRanges: toTimeseriesRanges(accepted),
    referenceLookups: collectReferenceLookups(accepted),
    isHeavy: (snapshot) => isHeavy(accepted, snapshot),
    decide: async (snapshot) => {
      const writes = await inSlices(decideWrites(checked, snapshot, rules));
      const { length } = writes.outcomes;
      return length === checked.length ? writes : { ...writes, ranges: cutAt(batch, length).ranges };
    },
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

/** So many characters of values are patched in a fraction of a second, also on a machine that has much else to do. */
const HEAVY_CHARACTERS = 2_000_000;

/** So many records are decided in slices, between which other requests may take long. */
const HEAVY_RECORDS = 1_000;

/** Each patch of an aspect reads and makes what is there and what all records bring for it, at most. */
function isHeavy(records: readonly AcceptedRecord[], snapshot: WriteSnapshot): boolean {
  if (records.length > HEAVY_RECORDS) return true;
  if (records.every(({ patch }) => patch === undefined)) return false;
  const works = new Map<string, { readonly patches: number; readonly characters: number }>();
  for (const record of records) {
    const key = aspectKey(record);
    const { patches, characters } = works.get(key) ?? {
      patches: 0,
      characters: snapshot.aspect(record)?.value?.length ?? 0,
    };
    works.set(key, {
      patches: record.patch === undefined ? patches : patches + 1,
      characters: characters + (record.proposal.value?.length ?? 0),
    });
  }
  const all = [...works.values()].reduce((sum, { patches, characters }) => sum + patches * characters, 0);
  return all > HEAVY_CHARACTERS;
}

/** Each point that a record may replace, once. */
function toTimeseriesValues(records: readonly AcceptedRecord[]): readonly TimeseriesValueRef[] {
  const refs = records.flatMap((record) => toTimeseriesValue(record) ?? []);
  return [...new Map(refs.map((ref) => [timeseriesValueId(ref), ref])).values()];
}

/** What the defaults of new entities depend on, once each. Which entities are new is not known before the read. */
function collectReferenceLookups(records: readonly AcceptedRecord[]): readonly ReferenceLookup[] {
  const referenceLookups = new Map<string, ReferenceLookup>();
  for (const record of records) {
    for (const neighbour of record.neighbours()) referenceLookups.set(aspectKey(neighbour), neighbour);
  }
  return [...referenceLookups.values()];
}

/** What the first records of a batch take of its ranges, and what is left then. */
function cutAt(
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
 * The first commit failed in a way that does not say whether it was applied. If the log has moved since, it may have been by that
 * very commit, and whoever sees a moved log may hand over the same proposals once more.
 */
export function outcomeUnknown(error: unknown): unknown {
  if (!(error instanceof OffsetConflictError)) return error;
  return new UnavailableError('Whether the proposals were applied is not known', { cause: error });
}
