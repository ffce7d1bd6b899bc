import type { LatestAspect } from '@stratalog/ports';
import type { BatchState } from './batch-state';
import type { AcceptedRecord } from './check-record';

/**
 * Returns why a record is rejected, given the current state: a failed precondition, or a requirement of its change
 * type. The store holds its locks meanwhile, so no write can come between the check and the commit.
 *
 * **Source**: `docs/what/proposal.md`, Conditions; `docs/wire-decisions.md`, Writing.
 */
export function toRejection(batch: BatchState, record: AcceptedRecord): string | undefined {
  const current = batch.aspect(record);
  return (
    lifeRejection(batch, record) ??
    versionRejection(record, current) ??
    timeRejection(record, current) ??
    changeTypeRejection(batch, record, current)
  );
}

/**
 * Returns why a proposal that the catalog derived from an entity is rejected: the entity was hard-deleted since it was read.
 * Timeseries values have no other precondition.
 */
export function lifeRejection(batch: BatchState, record: AcceptedRecord): string | undefined {
  const { urn, key, preconditions } = record;
  if (preconditions.keyVersion === undefined) return undefined;
  const isAlive = batch.entity(urn)?.deleted === false;
  const actual = batch.aspect({ urn, aspectName: key.aspectName })?.version ?? 0;
  return isAlive && actual === preconditions.keyVersion
    ? undefined
    : `Entity ${urn} was deleted since it was read, so ${record.aspectName} is not written`;
}

/** True when a create meets an existing target and its proposer allows that (`If-None-Match: *`). */
export function isIgnored(batch: BatchState, record: AcceptedRecord): boolean {
  return record.preconditions.passesOverExisting === true && findExisting(batch, record) !== undefined;
}

/** A create requires that its target does not exist, so for it the actual version counts as -1. */
function versionRejection(record: AcceptedRecord, current: LatestAspect | undefined): string | undefined {
  const { version: expected } = record.preconditions;
  if (expected === undefined) return undefined;
  const actual = current === undefined || isCreation(record) ? -1 : current.version;
  return expected === actual
    ? undefined
    : `Expected version ${String(expected)}, actual version ${String(actual)} of ${formatTarget(record)}`;
}

/** An absent aspect counts as never modified. */
function timeRejection(record: AcceptedRecord, current: LatestAspect | undefined): string | undefined {
  const { modifiedSinceMs, unmodifiedSinceMs } = record.preconditions;
  const modifiedMs = current?.created.time ?? -Infinity;
  const when =
    current === undefined ? 'is not there' : `was last modified at ${toText(current.created.time)}`;
  if (modifiedSinceMs !== undefined && !(modifiedMs > modifiedSinceMs)) {
    return `The ${formatTarget(record)} ${when}, and not after ${toText(modifiedSinceMs)} as If-Modified-Since asks`;
  }
  if (unmodifiedSinceMs !== undefined && modifiedMs > unmodifiedSinceMs) {
    return `The ${formatTarget(record)} ${when}, after ${toText(unmodifiedSinceMs)}, which If-Unmodified-Since forbids`;
  }
  return undefined;
}

function changeTypeRejection(
  batch: BatchState,
  record: AcceptedRecord,
  current: LatestAspect | undefined,
): string | undefined {
  const obstacle = findExisting(batch, record);
  if (obstacle !== undefined) return `Cannot ${record.changeType} ${formatTarget(record)}: ${obstacle}`;
  if (record.changeType === 'RESTATE' && record.value === undefined && current === undefined) {
    return `Cannot RESTATE ${formatTarget(record)}: it is not there, and no value was sent`;
  }
  return undefined;
}

/** Returns why a create is impossible. */
function findExisting(batch: BatchState, record: AcceptedRecord): string | undefined {
  const { changeType, urn } = record;
  if (changeType === 'CREATE_ENTITY' && batch.entityBeforeBatch(urn)?.deleted === false)
    return 'the entity exists already';
  if (changeType !== 'CREATE') return undefined;
  const current = batch.aspect(record);
  return current === undefined ? undefined : `it exists already, at version ${String(current.version)}`;
}

function isCreation({ changeType }: AcceptedRecord): boolean {
  return changeType === 'CREATE' || changeType === 'CREATE_ENTITY';
}

function formatTarget({ aspectName, urn }: AcceptedRecord): string {
  return `aspect ${aspectName} of ${urn}`;
}

function toText(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
