import {
  OffsetConflictError,
  UnavailableError,
  aspectKey,
  rewritesStoredValue,
  timeseriesValueId,
  type ProposalEntry,
  type WriteOutcome,
} from '@stratalog/domain';
import { inSlices, splitBatch } from '@stratalog/concurrency';
import type {
  AspectRead,
  AspectsOfEntities,
  AspectStore,
  Batch,
  ReferenceLookup,
  Rejection,
  TimeseriesValueRef,
} from '@stratalog/ports';
import type { RetentionPolicies } from '@stratalog/retention';
import { toTimeseriesValue, toTimeseriesRanges } from './apply-timeseries';
import {
  listAccepted,
  listDeletedEntities,
  listWrittenDefaults,
  type AcceptedRecord,
  type CheckedRecord,
} from './check-record';
import { decideWrites } from './decide-writes';

export interface CommitDeps {
  readonly store: Pick<AspectStore, 'commit'>;
  readonly policies: Pick<RetentionPolicies, 'current' | 'written'>;
  /** Called with each record that became a dead letter; `cause` is the failure of one that could not be applied. */
  readonly onDeadLetter: (rejection: Rejection, cause?: unknown) => void;
}

/** A part of a batch that one transaction has applied: the outcomes of its records, and what was left. */
export interface Committed {
  readonly outcomes: readonly WriteOutcome[];
  readonly left: ReadonlySet<CheckedRecord>;
}

/** Applies as many of the records as one transaction can take. */
export async function commit(
  { store, policies, onDeadLetter }: CommitDeps,
  batch: Batch<ProposalEntry>,
  checked: readonly CheckedRecord[],
): Promise<Committed> {
  const rules = await policies.current();
  const accepted = listAccepted(checked);
  let left: ReadonlySet<CheckedRecord> = new Set();
  let rejections: readonly Rejection[] = [];
  const outcomes = await store.commit({
    ranges: batch.ranges,
    reads: collectReads(accepted),
    defaults: collectDefaults(accepted),
    wholes: listDeletedEntities(accepted),
    timeseriesValues: toTimeseriesValues(accepted),
    timeseriesRanges: toTimeseriesRanges(accepted),
    referenceLookups: collectReferenceLookups(accepted),
    letters: checked.flatMap(({ replay }) => (replay === undefined ? [] : [replay.letter])),
    decide: async (snapshot) => {
      const decided = await inSlices(decideWrites(checked, snapshot, rules));
      ({ left, rejections } = decided);
      if (left.size === 0) return decided;
      return { ...decided, ranges: splitBatch(batch, isLeft(checked, left)).taken.ranges };
    },
  });
  policies.written(accepted.map(({ urn }) => urn));
  for (const rejection of rejections) {
    // A replay that is rejected again makes no further dead letter.
    if (rejection.replay === undefined) onDeadLetter(rejection);
  }
  return { outcomes, left };
}

/** Tells the records of a batch that were left by their checks. */
export function isLeft(
  checked: readonly CheckedRecord[],
  left: ReadonlySet<CheckedRecord>,
): (record: unknown, at: number) => boolean {
  return (_, at) => {
    const own = checked[at];
    return own !== undefined && left.has(own);
  };
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

/** Collects the default aspects that records write where they are missing: the urns by the names of the aspects. */
function collectDefaults(records: readonly AcceptedRecord[]): readonly AspectsOfEntities[] {
  const byNames = new Map<string, { readonly aspectNames: readonly string[]; readonly urns: Set<string> }>();
  for (const record of records) {
    const aspectNames = listWrittenDefaults(record);
    if (aspectNames.length === 0) continue;
    const key = aspectNames.join();
    const known = byNames.get(key);
    if (known === undefined) byNames.set(key, { aspectNames, urns: new Set([record.urn]) });
    else known.urns.add(record.urn);
  }
  return [...byNames.values()].map(({ aspectNames, urns }) => ({ aspectNames, urns: [...urns] }));
}

/** True when the record's new value, or its rejection, depends on the stored value. */
function needsValue(record: AcceptedRecord): boolean {
  const { rejectReferences, rule } = record;
  return rejectReferences !== undefined || rule !== undefined || rewritesStoredValue(record);
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

/**
 * Converts a conflict after an earlier unclear failure. The earlier commit itself may have moved the offset, and a
 * caller that receives {@link OffsetConflictError} might append the same proposals again.
 */
export function outcomeUnknown(error: unknown): unknown {
  if (!(error instanceof OffsetConflictError)) return error;
  return new UnavailableError('Whether the proposals were applied is not known', { cause: error });
}
