import type { WriteOutcome } from '@stratalog/model';
import type { WriteSet, WriteSnapshot } from '@stratalog/ports';
import type { RetentionRules } from '@stratalog/retention';
import { BatchState } from './batch-state';
import { deletesEntity, type AcceptedRecord, type CheckedRecord } from './checked-record';
import { erasuresOf } from './erasures-of';
import { isPassedOver, refusalOf } from './refusal-of';

/**
 * What a batch writes, given what the store holds: a pure function, so that the same log always gives the same history.
 *
 * Records are taken in log order, each seeing what those before it wrote. One whose value equals the stored one makes no
 * version; its provenance is refreshed instead. The first record of an entity brings the key aspect with it, then the default
 * aspects but the one that it is itself; what a later record says replaces them, in the same batch or another. An entity that
 * was deleted begins anew the same way, and the numbers of its aspects go on. One whose conditions do not hold is refused,
 * and leaves nothing behind. Histories that get longer lose
 * what `rules` let go of them.
 */
export function decideWrites(
  records: readonly CheckedRecord[],
  snapshot: WriteSnapshot,
  rules: RetentionRules,
): WriteSet {
  const batch = new BatchState(snapshot);
  const outcomes = records.map((record): WriteOutcome => {
    if (record.kind === 'accepted') return applyRecord(batch, record);
    if (record.isDropped !== true) batch.refusals.push(record);
    return { kind: 'refused', reason: record.reason };
  });
  return {
    changes: batch.changes,
    deletions: batch.deletions,
    erasures: erasuresOf(batch.changes, rules),
    refreshes: [...batch.refreshes.values()],
    refusals: batch.refusals,
    outcomes,
  };
}

function applyRecord(batch: BatchState, record: AcceptedRecord): WriteOutcome {
  if (isPassedOver(batch, record)) {
    return outcomeOf(batch, record, { kind: 'unchanged', version: batch.aspect(record)?.version ?? 0 });
  }
  const reason = refusalOf(batch, record);
  if (reason !== undefined) return refuse(batch, record, reason);
  switch (record.changeType) {
    case 'DELETE':
      return remove(batch, record);
    case 'RESTATE':
      return restate(batch, record);
    case 'PATCH':
      return patch(batch, record);
    default:
      return put(batch, record);
  }
}

function refuse(batch: BatchState, record: AcceptedRecord, reason: string): WriteOutcome {
  const { position, proposal, isUnlogged } = record;
  if (isUnlogged !== true) batch.refusals.push({ position, reason, content: { proposal } });
  return { kind: 'refused', reason };
}

/** What a patch makes of the value is written like any other. */
function patch(batch: BatchState, record: AcceptedRecord): WriteOutcome {
  const { urn, actor } = record;
  const made = record.patch?.(batch.aspect(record)?.value, { time: batch.stampOf(urn), actor });
  if (made === undefined || 'refusal' in made)
    return refuse(batch, record, made?.refusal ?? 'There is no patch');
  return put(batch, { ...record, value: made.value });
}

/** Says a value once more that is there; another value, or the first, is written like any other. */
function restate(batch: BatchState, record: AcceptedRecord): WriteOutcome {
  const current = batch.aspect(record);
  const value = record.value ?? current?.value;
  if (current === undefined || value === undefined || !current.isValue(value)) return put(batch, record);
  if (record.value !== undefined) batch.refresh(record, current);
  batch.restate({ ...record, value }, current);
  return outcomeOf(batch, record, { kind: 'unchanged', version: current.version });
}

function remove(batch: BatchState, record: AcceptedRecord): WriteOutcome {
  const isWhole = deletesEntity(record);
  const isThere = isWhole ? batch.entity(record.urn)?.deleted === false : batch.aspect(record) !== undefined;
  if (!isThere) return outcomeOf(batch, record, { kind: 'unchanged', version: 0 });
  const { version } = isWhole ? batch.removeAll(record) : batch.remove(record);
  return outcomeOf(batch, record, { kind: 'written', version });
}

function put(batch: BatchState, record: AcceptedRecord): WriteOutcome {
  const isNewEntity = batch.entity(record.urn)?.deleted ?? true;
  if (isNewEntity) begin(batch, record);
  const current = batch.aspect(record);
  // The key aspect of a new entity has just been written, whatever the proposal brought for it.
  if (isNewEntity && record.aspectName === record.key.aspectName) {
    return outcomeOf(batch, record, { kind: 'written', version: current?.version ?? 0 });
  }
  const { value = '' } = record;
  if (current?.isValue(value) === true) {
    batch.refresh(record, current);
    return outcomeOf(batch, record, { kind: 'unchanged', version: current.version });
  }
  const { version } = batch.write({ ...record, value });
  return outcomeOf(batch, record, { kind: 'written', version });
}

/** Writes what a new entity has from its beginning; who updates wants nothing besides. */
function begin(batch: BatchState, record: AcceptedRecord): void {
  const defaults = record.changeType === 'UPDATE' ? [] : record.defaults((ref) => batch.valueOf(ref));
  for (const { aspectName, value } of [record.key, ...defaults]) {
    if (aspectName === record.aspectName && aspectName !== record.key.aspectName) continue;
    batch.write({ ...record, aspectName, value });
  }
}

function outcomeOf(
  batch: BatchState,
  { urn }: AcceptedRecord,
  applied: { readonly kind: 'written' | 'unchanged'; readonly version: number },
): WriteOutcome {
  const partition = batch.snapshot.partitionOf(urn);
  return { ...applied, partition, seq: batch.entity(urn)?.seq ?? 0 };
}
