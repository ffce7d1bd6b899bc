import { proposalsIn, rejectionAt, type AppliedOutcome, type WriteOutcome } from '@stratalog/domain';
import type { Steps } from '@stratalog/json';
import type { Rejection, WriteSet, WriteSnapshot } from '@stratalog/ports';
import { planTruncations, type RetentionRules } from '@stratalog/retention';
import {
  toTimeseriesValue,
  toTimeseriesRange,
  deleteTimeseries,
  writeTimeseriesValue,
} from './apply-timeseries';
import { BatchState } from './batch-state';
import {
  deletesEntity,
  listWrittenDefaults,
  type AcceptedBatch,
  type AcceptedRecord,
  type CheckedRecord,
} from './check-record';
import { PatchBudget } from './patch-budget';
import { isIgnored, lifeRejection, toRejection } from './to-rejection';

/** Most such characters for one atomic batch, which cannot be split; a larger batch is rejected. */
const MAX_PATCHED_TOGETHER = 64_000_000;

/** The writes of the decided records, and the records that a later commit decides. */
export interface DecidedWrites extends WriteSet {
  readonly left: ReadonlySet<CheckedRecord>;
}

/**
 * Decides the writes of a batch from the stored state: a pure function, so the same log always gives the same
 * history.
 *
 * Records apply in log order, and each sees the writes before it. A value equal to the stored one makes no version
 * and refreshes the provenance. The first record of an entity also writes the key aspect, and each record the default
 * aspects that the entity lacks, except its own aspect; later records replace them. A hard-deleted entity starts the same
 * way, with version numbers that continue. A timeseries value has no version. A record whose preconditions do not hold is
 * rejected and changes nothing. A replay of a dead letter that is settled already changes nothing. Growing histories are truncated by `rules`.
 *
 * When patches of large values exceed one commit, `left` has the records for a later one, and there are outcomes of the
 * others only.
 */
export function* decideWrites(
  records: readonly CheckedRecord[],
  snapshot: WriteSnapshot,
  rules: RetentionRules,
): Steps<DecidedWrites> {
  const batch = new BatchState(snapshot);
  const budget = new PatchBudget(batch);
  const outcomes: WriteOutcome[] = [];
  const left = new Set<CheckedRecord>();
  for (const record of records) {
    if (budget.mustWait(record)) left.add(record);
    else outcomes.push(yield* budget.charge(record, applyAny(batch, record)));
    yield;
  }
  return {
    left,
    changes: batch.changes,
    timeseriesValues: batch.timeseriesValues.written,
    timeseriesDeletions: batch.timeseriesValues.removed,
    deletions: batch.deletions,
    truncations: planTruncations(batch.changes, rules),
    refreshes: [...batch.refreshes.values()],
    rejections: batch.rejections,
    replays: batch.replays,
    outcomes,
  };
}

/** Applies a record, and settles the dead letter that it replays, if any. */
function* applyAny(batch: BatchState, record: CheckedRecord): Steps<WriteOutcome> {
  const { replay } = record;
  if (replay === undefined) return yield* applyOnce(batch, record);
  // Another record has replayed the letter, or an operator has discarded it.
  if (!batch.isOpen(replay.letter)) return { kind: 'batch', outcomes: [] };
  const outcome = yield* applyOnce(batch, record);
  if (outcome.kind !== 'rejected') batch.replays.push({ ...replay, stampMs: readStamp(batch, record) });
  return outcome;
}

function readStamp(batch: BatchState, record: CheckedRecord): number {
  if (record.kind === 'rejected') return 0;
  const [{ urn }] = proposalsIn(record.kind === 'batch' ? record.batch : record.proposal);
  return batch.stampOf(urn);
}

function* applyOnce(batch: BatchState, record: CheckedRecord): Steps<WriteOutcome> {
  if (record.kind === 'accepted') return yield* applyRecord(batch, record);
  if (record.kind === 'batch') return yield* applyTogether(batch, record);
  if (record.isDropped !== true || record.replay !== undefined) batch.rejections.push(record);
  return { kind: 'rejected', reason: record.reason };
}

/** Keeps a rejection as a dead letter, or with the one that it replays. A caller that waits hears of it instead. */
function keepRejection(
  batch: BatchState,
  { replay, isUnlogged }: Pick<AcceptedRecord, 'isUnlogged'> & Pick<CheckedRecord, 'replay'>,
  rejection: Omit<Rejection, 'cause' | 'replay'>,
): void {
  if (replay !== undefined) batch.rejections.push({ ...rejection, cause: 'conflict', replay });
  else if (isUnlogged !== true) batch.rejections.push({ ...rejection, cause: 'conflict' });
}

/** Applies a single record; a rejected one becomes a dead letter unless it is unlogged. */
function* applyRecord(
  batch: BatchState,
  record: AcceptedRecord & Pick<CheckedRecord, 'replay'>,
): Steps<WriteOutcome> {
  const outcome = yield* applyOne(batch, record);
  const { position, proposal } = record;
  if (outcome.kind === 'rejected')
    keepRejection(batch, record, { position, reason: outcome.reason, content: { proposal } });
  return outcome;
}

/** Applies an atomic batch on a branch of the state, and adopts the branch when no proposal is rejected. */
function* applyTogether(
  batch: BatchState,
  together: AcceptedBatch & Pick<CheckedRecord, 'replay'>,
): Steps<WriteOutcome> {
  const { records, position, batch: proposal } = together;
  const branch = batch.branch(records);
  const before = batch.patchedCharacters;
  const outcomes: AppliedOutcome[] = [];
  for (const [at, record] of records.entries()) {
    const outcome = yield* applyOne(branch, record);
    batch.patchedCharacters = before + branch.patchedCharacters;
    if (outcome.kind === 'rejected') {
      const reason = rejectionAt(at, outcome.reason);
      keepRejection(batch, together, { position, reason, content: { proposal } });
      return { kind: 'rejected', reason };
    }
    outcomes.push(outcome);
    yield;
  }
  yield* batch.adopt(branch);
  return { kind: 'batch', outcomes };
}

type SingleOutcome = AppliedOutcome | Extract<WriteOutcome, { kind: 'rejected' }>;

function* applyOne(batch: BatchState, record: AcceptedRecord): Steps<SingleOutcome> {
  const timeseriesValue = toTimeseriesValue(record);
  if (timeseriesValue !== undefined) {
    const reason = lifeRejection(batch, record);
    if (reason !== undefined) return { kind: 'rejected', reason };
    completeEntity(batch, record);
    return writeTimeseriesValue(batch, record, timeseriesValue);
  }
  const range = toTimeseriesRange(record);
  if (range !== undefined) return deleteTimeseries(batch, record, range);
  if (isIgnored(batch, record)) {
    return toOutcome(batch, record, { kind: 'unchanged', version: batch.aspect(record)?.version ?? 0 });
  }
  const reason = toRejection(batch, record) ?? record.rejectReferences?.(batch.aspect(record)?.value);
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

/** Computes the patched value and writes it like any other. */
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
  // The patch removes what is not stored.
  if (made.value === undefined) return toOutcome(batch, record, { kind: 'unchanged', version: 0 });
  batch.patchedCharacters += made.value.length;
  return put(batch, { ...record, value: made.value });
}

/** Restates the current value; a different value, or the first one, is written like any other. */
function restate(batch: BatchState, record: AcceptedRecord): SingleOutcome {
  const current = batch.aspect(record);
  const value = record.value ?? current?.value;
  if (record.value === undefined) batch.patchedCharacters += 2 * (current?.value?.length ?? 0);
  if (current === undefined || value === undefined || !current.isValue(value)) return put(batch, record);
  if (record.value !== undefined) batch.refresh(record, current);
  batch.restate({ ...record, value }, current);
  return toOutcome(batch, record, { kind: 'unchanged', version: current.version });
}

function remove(batch: BatchState, record: AcceptedRecord): AppliedOutcome {
  const isWhole = deletesEntity(record);
  const exists = isWhole ? batch.entity(record.urn)?.deleted === false : batch.aspect(record) !== undefined;
  if (!exists) return toOutcome(batch, record, { kind: 'unchanged', version: 0 });
  const { version } = isWhole ? batch.removeAll(record) : batch.remove(record);
  return toOutcome(batch, record, { kind: 'written', version });
}

function put(batch: BatchState, record: AcceptedRecord): SingleOutcome {
  const reason = record.rule?.reject({
    value: record.value ?? '',
    current: batch.aspect(record)?.value,
    valueOf: (ref) => batch.readValue(ref),
  });
  if (reason !== undefined) return { kind: 'rejected', reason };
  const isNewEntity = completeEntity(batch, record);
  const current = batch.aspect(record);
  // Completing a new entity has just written the key aspect, whatever value the proposal has for it.
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

/**
 * Writes the key aspect of a new entity and the default aspects that the entity lacks, except aspects of the same record or batch.
 * Returns true for a new entity.
 */
function completeEntity(batch: BatchState, record: AcceptedRecord): boolean {
  const { urn, key } = record;
  const isNew = batch.entity(urn)?.deleted ?? true;
  if (isNew) batch.write({ ...record, ...key });
  const names = listWrittenDefaults(record).filter((aspectName) => {
    const ref = { urn, aspectName };
    return aspectName !== record.aspectName && batch.isMissing(ref) && !batch.isProposedTogether(ref);
  });
  if (names.length > 0) {
    const defaults = record.defaults({ names, valueOf: (ref) => batch.readValue(ref) });
    for (const each of defaults) batch.write({ ...record, ...each });
  }
  return isNew;
}

function toOutcome(
  batch: BatchState,
  { urn }: AcceptedRecord,
  applied: Pick<AppliedOutcome, 'kind' | 'version'>,
): AppliedOutcome {
  const partition = batch.snapshot.partitionOf(urn);
  return { ...applied, partition, seq: batch.entity(urn)?.seq ?? 0 };
}
