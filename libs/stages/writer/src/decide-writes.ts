import { rejectionAt, type AppliedOutcome, type Steps, type WriteOutcome } from '@stratalog/model';
import type { WriteSet, WriteSnapshot } from '@stratalog/ports';
import type { RetentionRules } from '@stratalog/retention';
import {
  toTimeseriesValue,
  toTimeseriesRange,
  deleteTimeseries,
  writeTimeseriesValue,
} from './apply-timeseries';
import { BatchState } from './batch-state';
import { deletesEntity, type AcceptedBatch, type AcceptedRecord, type CheckedRecord } from './checked-record';
import { planTruncations } from './plan-truncations';
import { isPassedOver, toRejection } from './to-rejection';

/**
 * After so many characters that patches have read and made, the records that are left wait for another commit: it is half a second's work,
 * in which the process does nothing else.
 */
const MAX_PATCHED_CHARACTERS = 8_000_000;
/** The same for the patches of one batch of proposals, which cannot wait: one that has more is rejected. */
const MAX_PATCHED_TOGETHER = 64_000_000;

/**
 * What a batch writes, given what the store holds: a pure function, so that the same log always gives the same history.
 *
 * Records are taken in log order, each seeing what those before it wrote. One whose value equals the stored one makes no
 * version; its provenance is refreshed instead. The first record of an entity brings the key aspect with it, then the default
 * aspects but the one that it is itself; what a later record says replaces them, in the same batch or another. An entity that
 * was deleted begins anew the same way, and the numbers of its aspects go on. Points of timeseries aspects are no versions: each stands for
 * itself. One whose conditions do not hold is rejected, and leaves nothing behind. Histories that get longer lose
 * what `rules` let go of them.
 *
 * There are fewer outcomes than records when patches of large values make the work too much for one commit: the others are for the next.
 */
export function* decideWrites(
  records: readonly CheckedRecord[],
  snapshot: WriteSnapshot,
  rules: RetentionRules,
): Steps<WriteSet> {
  const batch = new BatchState(snapshot);
  const outcomes: WriteOutcome[] = [];
  for (const record of records) {
    outcomes.push(yield* applyAny(batch, record));
    if (batch.patchedCharacters > MAX_PATCHED_CHARACTERS) break;
    yield;
  }
  return {
    changes: batch.changes,
    timeseriesValues: batch.timeseriesValues.written,
    timeseriesDeletions: batch.timeseriesValues.removed,
    deletions: batch.deletions,
    truncations: planTruncations(batch.changes, rules),
    refreshes: [...batch.refreshes.values()],
    rejections: batch.rejections,
    outcomes,
  };
}

function* applyAny(batch: BatchState, record: CheckedRecord): Steps<WriteOutcome> {
  if (record.kind === 'accepted') return yield* applyRecord(batch, record);
  if (record.kind === 'batch') return yield* applyTogether(batch, record);
  if (record.isDropped !== true) batch.rejections.push(record);
  return { kind: 'rejected', reason: record.reason };
}

/** A record on its own; a rejection is kept unless nobody has logged it. */
function* applyRecord(batch: BatchState, record: AcceptedRecord): Steps<WriteOutcome> {
  const outcome = yield* applyOne(batch, record);
  const { position, proposal, isUnlogged } = record;
  if (outcome.kind === 'rejected' && isUnlogged !== true) {
    batch.rejections.push({ position, reason: outcome.reason, content: { proposal } });
  }
  return outcome;
}

/** Applies the proposals of a batch beside what is there, and takes that over when none is rejected. */
function* applyTogether(
  batch: BatchState,
  { records, position, batch: proposal, isUnlogged }: AcceptedBatch,
): Steps<WriteOutcome> {
  const beside = batch.branch(records);
  const before = batch.patchedCharacters;
  const outcomes: AppliedOutcome[] = [];
  for (const [at, record] of records.entries()) {
    const outcome = yield* applyOne(beside, record);
    batch.patchedCharacters = before + beside.patchedCharacters;
    if (outcome.kind === 'rejected') {
      const reason = rejectionAt(at, outcome.reason);
      if (isUnlogged !== true) batch.rejections.push({ position, reason, content: { proposal } });
      return { kind: 'rejected', reason };
    }
    outcomes.push(outcome);
    yield;
  }
  batch.adopt(beside);
  return { kind: 'batch', outcomes };
}

type SingleOutcome = AppliedOutcome | Extract<WriteOutcome, { kind: 'rejected' }>;

function* applyOne(batch: BatchState, record: AcceptedRecord): Steps<SingleOutcome> {
  const timeseriesValue = toTimeseriesValue(record);
  if (timeseriesValue !== undefined) {
    if (isNew(batch, record)) begin(batch, record);
    return writeTimeseriesValue(batch, record, timeseriesValue);
  }
  const span = toTimeseriesRange(record);
  if (span !== undefined) return deleteTimeseries(batch, record, span);
  if (isPassedOver(batch, record)) {
    return toOutcome(batch, record, { kind: 'unchanged', version: batch.aspect(record)?.version ?? 0 });
  }
  const reason = toRejection(batch, record);
  if (reason !== undefined) return { kind: 'rejected', reason };
  switch (record.changeType) {
    case 'DELETE':
      return remove(batch, record);
    case 'RESTATE':
      return restate(batch, record);
    case 'PATCH':
      return yield* patch(batch, record);
    default:
      return put(batch, record);
  }
}

const TOO_MUCH_TOGETHER =
  `The patches of the batch read and write more than ${String(MAX_PATCHED_TOGETHER)} characters of stored values; ` +
  'send fewer of them at once, or the operations on one aspect as one patch';

/** What a patch makes of the value is written like any other. */
function* patch(batch: BatchState, record: AcceptedRecord): Steps<SingleOutcome> {
  const { urn, actor } = record;
  if (batch.patchedCharacters > MAX_PATCHED_TOGETHER) return { kind: 'rejected', reason: TOO_MUCH_TOGETHER };
  const current = batch.aspect(record)?.value;
  const stamp = { time: batch.stampOf(urn), actor };
  const made = record.patch === undefined ? undefined : yield* record.patch(current, stamp);
  batch.patchedCharacters += current?.length ?? 0;
  if (made === undefined || 'rejection' in made) {
    return { kind: 'rejected', reason: made?.rejection ?? 'There is no patch' };
  }
  batch.patchedCharacters += made.value.length;
  return put(batch, { ...record, value: made.value });
}

/** Says a value once more that is there; another value, or the first, is written like any other. */
function restate(batch: BatchState, record: AcceptedRecord): AppliedOutcome {
  const current = batch.aspect(record);
  const value = record.value ?? current?.value;
  if (current === undefined || value === undefined || !current.isValue(value)) return put(batch, record);
  if (record.value !== undefined) batch.refresh(record, current);
  batch.restate({ ...record, value }, current);
  return toOutcome(batch, record, { kind: 'unchanged', version: current.version });
}

function remove(batch: BatchState, record: AcceptedRecord): AppliedOutcome {
  const isWhole = deletesEntity(record);
  const isThere = isWhole ? batch.entity(record.urn)?.deleted === false : batch.aspect(record) !== undefined;
  if (!isThere) return toOutcome(batch, record, { kind: 'unchanged', version: 0 });
  const { version } = isWhole ? batch.removeAll(record) : batch.remove(record);
  return toOutcome(batch, record, { kind: 'written', version });
}

function put(batch: BatchState, record: AcceptedRecord): AppliedOutcome {
  const isNewEntity = isNew(batch, record);
  if (isNewEntity) begin(batch, record);
  const current = batch.aspect(record);
  // The key aspect of a new entity has just been written, whatever the proposal brought for it.
  if (isNewEntity && record.aspectName === record.key.aspectName) {
    return toOutcome(batch, record, { kind: 'written', version: current?.version ?? 0 });
  }
  const { value = '' } = record;
  if (current?.isValue(value) === true) {
    batch.refresh(record, current);
    return toOutcome(batch, record, { kind: 'unchanged', version: current.version });
  }
  const { version } = batch.write({ ...record, value });
  return toOutcome(batch, record, { kind: 'written', version });
}

function isNew(batch: BatchState, { urn }: AcceptedRecord): boolean {
  return batch.entity(urn)?.deleted ?? true;
}

/** Writes what a new entity has from its beginning, but what the same record brings; who updates wants nothing besides. */
function begin(batch: BatchState, record: AcceptedRecord): void {
  const defaults = record.changeType === 'UPDATE' ? [] : record.defaults((ref) => batch.valueOf(ref));
  for (const { aspectName, value } of [record.key, ...defaults]) {
    const isProposed =
      aspectName === record.aspectName || batch.isProposedToo({ urn: record.urn, aspectName });
    if (isProposed && aspectName !== record.key.aspectName) continue;
    batch.write({ ...record, aspectName, value });
  }
}

function toOutcome(
  batch: BatchState,
  { urn }: AcceptedRecord,
  applied: Pick<AppliedOutcome, 'kind' | 'version'>,
): AppliedOutcome {
  const partition = batch.snapshot.partitionOf(urn);
  return { ...applied, partition, seq: batch.entity(urn)?.seq ?? 0 };
}
