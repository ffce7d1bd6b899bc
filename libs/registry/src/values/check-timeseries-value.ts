import { createHash } from 'node:crypto';
import {
  isJsonObject,
  parseInSteps,
  stringifyJson,
  type JsonObject,
  type JsonValue,
  type TimeseriesIdentity,
  type Proposal,
  type Steps,
  type TimeRange,
} from '@stratalog/model';
import type { AspectType } from '../model/entity-registry';

/** What a proposal of a timeseries aspect does: it writes one point, or takes those within a stretch of time away. */
export type TimeseriesChange = { readonly identity: TimeseriesIdentity } | { readonly within: TimeRange };

/** The last millisecond of the year 9999: what lies behind it is no time, but most likely one in a finer unit. */
const MAX_TIMESTAMP_MS = 253_402_300_799_999;
const KEY_BYTES = 16;

/**
 * Why a timeseries aspect does not take a proposal of this kind, whatever its value: points have no versions, so nothing can be created,
 * patched or compared with what is there.
 *
 * **Source**: entity and aspect behaviour, section 9.1.
 */
export function checkTimeseriesValue(
  { name }: AspectType,
  { changeType, headers = {} }: Proposal,
): string | undefined {
  if (changeType !== 'UPSERT' && changeType !== 'DELETE') {
    return `changeType ${changeType} is not supported for the timeseries aspect ${name}; points are written by UPSERT and removed by DELETE`;
  }
  const [header] = Object.keys(headers);
  return header === undefined
    ? undefined
    : `${header} means nothing for the timeseries aspect ${name}, whose points have no versions`;
}

/** The change that a proposal of a timeseries aspect makes, its value being canonical; or why there is none. */
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
 * What tells points of one moment apart. What is left out means what the model says it means then, so that a point that spells a default out
 * replaces one that does not.
 */
function hashTimeseriesKey({ record }: AspectType, members: JsonObject): string {
  const memberOf = (name: string): JsonValue =>
    members[name] ?? record.fields.find((field) => field.name === name)?.default ?? null;
  const told = [
    withMultiple(memberOf('eventGranularity')),
    partOf(memberOf('partitionSpec')),
    memberOf('messageId'),
  ];
  return createHash('sha256')
    .update(stringifyJson(told), 'utf8')
    .digest()
    .subarray(0, KEY_BYTES)
    .toString('base64url');
}

/** The kind of a part is outdated, and readers go by its name. */
function partOf(part: JsonValue): JsonValue {
  if (!isJsonObject(part)) return part;
  const { partition = null, timePartition = null } = part;
  const { startTimeMillis = null, length = null } = isJsonObject(timePartition) ? timePartition : {};
  return [partition, startTimeMillis, withMultiple(length)];
}

/** A length of time is one of its unit unless it says how many. */
function withMultiple(size: JsonValue): JsonValue {
  if (!isJsonObject(size)) return size;
  return [size.unit ?? null, size.multiple ?? 1];
}
