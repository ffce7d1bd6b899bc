import type { LatestAspect } from '@stratalog/ports';
import type { BatchState } from './batch-state';
import type { AcceptedRecord } from './checked-record';

/**
 * Why a record does not count, given what it finds: a condition that its proposer has set, or what its change type requires. The
 * store is locked while this is asked, so nothing can come between the answer and the write.
 *
 * **Source**: entity and aspect behaviour, section 9.1.
 */
export function toRejection(batch: BatchState, record: AcceptedRecord): string | undefined {
  const current = batch.aspect(record);
  return (
    versionRejection(record, current) ??
    timeRejection(record, current) ??
    changeTypeRejection(batch, record, current)
  );
}

/** The record creates what is there already, and its proposer has said that this is fine. */
export function isPassedOver(batch: BatchState, record: AcceptedRecord): boolean {
  return record.preconditions.passesOverExisting === true && existing(batch, record) !== undefined;
}

/** What is created must not be there, so for these the number of what is there does not count. */
function versionRejection(record: AcceptedRecord, current: LatestAspect | undefined): string | undefined {
  const { version: expected } = record.preconditions;
  if (expected === undefined) return undefined;
  const actual = current === undefined || isCreation(record) ? -1 : current.version;
  return expected === actual
    ? undefined
    : `Expected version ${String(expected)}, actual version ${String(actual)} of ${placeOf(record)}`;
}

/** An aspect that is not there was never modified. */
function timeRejection(record: AcceptedRecord, current: LatestAspect | undefined): string | undefined {
  const { modifiedSinceMs, unmodifiedSinceMs } = record.preconditions;
  const modifiedMs = current?.created.time ?? -Infinity;
  const when =
    current === undefined ? 'is not there' : `was last modified at ${toText(current.created.time)}`;
  if (modifiedSinceMs !== undefined && !(modifiedMs > modifiedSinceMs)) {
    return `The ${placeOf(record)} ${when}, and not after ${toText(modifiedSinceMs)} as If-Modified-Since asks`;
  }
  if (unmodifiedSinceMs !== undefined && modifiedMs > unmodifiedSinceMs) {
    return `The ${placeOf(record)} ${when}, after ${toText(unmodifiedSinceMs)}, which If-Unmodified-Since forbids`;
  }
  return undefined;
}

function changeTypeRejection(
  batch: BatchState,
  record: AcceptedRecord,
  current: LatestAspect | undefined,
): string | undefined {
  const there = existing(batch, record);
  if (there !== undefined) return `Cannot ${record.changeType} ${placeOf(record)}: ${there}`;
  if (record.changeType === 'RESTATE' && record.value === undefined && current === undefined) {
    return `Cannot RESTATE ${placeOf(record)}: it is not there, and no value was sent`;
  }
  return undefined;
}

/** What stands in the way of a creation. */
function existing(batch: BatchState, record: AcceptedRecord): string | undefined {
  const { changeType, urn } = record;
  if (changeType === 'CREATE_ENTITY' && batch.entityFound(urn)?.deleted === false)
    return 'the entity exists already';
  if (changeType !== 'CREATE') return undefined;
  const current = batch.aspect(record);
  return current === undefined ? undefined : `it exists already, at version ${String(current.version)}`;
}

function isCreation({ changeType }: AcceptedRecord): boolean {
  return changeType === 'CREATE' || changeType === 'CREATE_ENTITY';
}

function placeOf({ aspectName, urn }: AcceptedRecord): string {
  return `aspect ${aspectName} of ${urn}`;
}

function toText(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
