import { createHash } from 'node:crypto';
import {
  canonicalPreconditionHeader,
  type TimeseriesIdentity,
  type Proposal,
  type TimeRange,
} from '@stratalog/domain';
import {
  isJsonObject,
  parseInSteps,
  stringifyJson,
  type JsonObject,
  type JsonValue,
  type Steps,
} from '@stratalog/json';
import type { AspectType } from '../model/entity-registry';

/** The change of a timeseries proposal: it writes one value, or deletes those in a time range. */
export type TimeseriesChange = { readonly identity: TimeseriesIdentity } | { readonly within: TimeRange };

/**
 * Latest valid timestamp, the last millisecond of the year 9999. A larger number is most likely a time in a finer
 * unit.
 */
const MAX_TIMESTAMP_MS = 253_402_300_799_999;
const KEY_BYTES = 16;

/**
 * Returns why a timeseries aspect rejects this kind of proposal, whatever its value. Timeseries values have no
 * versions, so proposals cannot create, patch or compare them.
 *
 * **Source**: `docs/wire-decisions.md`, Writing; `docs/what/timeseries-value.md`.
 */
export function checkTimeseriesValue(
  { name }: AspectType,
  { changeType, headers = {} }: Proposal,
): string | undefined {
  if (changeType !== 'UPSERT' && changeType !== 'DELETE') {
    return `changeType ${changeType} is not supported for the timeseries aspect ${name}; UPSERT writes a value and DELETE removes values`;
  }
  // Only the catalog requires that the entity lives, and may do so for timeseries values too.
  const header = Object.keys(headers).find((name) => canonicalPreconditionHeader(name) !== undefined);
  return header === undefined
    ? undefined
    : `${header} means nothing for the timeseries aspect ${name}, whose values have no versions`;
}

/** Computes the change of a timeseries proposal with a canonical value, or its rejection. */
export function* toTimeseriesChange(
  aspect: AspectType,
  { timestamps = {} }: Proposal,
  value: string | undefined,
): Steps<TimeseriesChange | { readonly rejection: string }> {
  if (value === undefined) return { within: timestamps };
  const members = (yield* parseInSteps(value)).value as JsonObject;
  const { timestampMillis } = members;
  if (!isTimestamp(timestampMillis)) {
    return {
      rejection: `Failed to validate record with class ${aspect.recordName}: ERROR :: /timestampMillis :: ${stringifyJson(timestampMillis ?? null)} is not a time in epoch milliseconds from 0 to ${String(MAX_TIMESTAMP_MS)}`,
    };
  }
  return { identity: { timestampMs: timestampMillis, valueKey: hashTimeseriesKey(aspect, members) } };
}

function isTimestamp(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_TIMESTAMP_MS;
}

/**
 * Hashes the members that identify a value among those of one timestamp. Absent members count as their defaults, so a
 * value with explicit defaults replaces one without.
 */
function hashTimeseriesKey({ record }: AspectType, members: JsonObject): string {
  const readMember = (name: string): JsonValue =>
    members[name] ?? record.fields.find((field) => field.name === name)?.default ?? null;
  const identity = [
    toWindow(readMember('eventGranularity')),
    toPartitionKey(readMember('partitionSpec')),
    readMember('messageId'),
  ];
  return createHash('sha256')
    .update(stringifyJson(identity), 'utf8')
    .digest()
    .subarray(0, KEY_BYTES)
    .toString('base64url');
}

/** Ignores the kind of a partition spec: it is outdated, and readers use its name. */
function toPartitionKey(part: JsonValue): JsonValue {
  if (!isJsonObject(part)) return part;
  const { partition = null, timePartition = null } = part;
  const { startTimeMillis = null, length = null } = isJsonObject(timePartition) ? timePartition : {};
  return [partition, startTimeMillis, toWindow(length)];
}

/** A time window without a multiple is one unit long. */
function toWindow(size: JsonValue): JsonValue {
  if (!isJsonObject(size)) return size;
  return [size.unit ?? null, size.multiple ?? 1];
}
