import {
  PUBLISHED_TYPES,
  formatTimeRangeHeaders,
  entityTypeIn,
  timeRange,
  type ChangeKey,
  type ChangeRecord,
  type ProposalHeaders,
  type TimeRange,
} from '@stratalog/domain';
import { stringifyJson } from '@stratalog/json';
import type { StoreIdentity } from '@stratalog/ports';
import type { KafkaMessage, Message } from 'kafkajs';
import { MAX_VALUE_BYTES } from '../cluster/message-size';

/** `partition:seq`: the position of the change in the store, independent of its offset in the topic. */
const POSITION = 'stratalog-position';
/** `storeId.epoch`: the store that the position belongs to. */
const STORE = 'stratalog-store';
const ASPECT = 'stratalog-aspect';
const VERSION = 'stratalog-version';
/** `timeseries` for a change that writes a timeseries value. */
const KIND = 'stratalog-kind';
/** `5..9`: the time range of the deleted values, for a deletion of timeseries values; a missing end leaves that side open. */
const TIMESTAMPS = 'stratalog-timestamps';
/**
 * Why the value is missing: `omitted` when it exceeds the topic's limit, `erased` when the store has purged it,
 * `elsewhere` when the timeseries topic holds it.
 */
const VALUE = 'stratalog-value';

/** Encodes the members of a change as the bytes of a record. */
export type ChangeEncoding = (members: ChangeMembers) => Promise<Buffer> | Buffer;

/** The content of a change record, without its headers. */
interface ChangeMembers {
  readonly entityType: string;
  readonly change: ChangeRecord;
  readonly changeType: 'UPSERT' | 'DELETE' | 'RESTATE';
  readonly value: string | undefined;
  /** For a bounded deletion of timeseries values: its time range. */
  readonly headers: ProposalHeaders | undefined;
}

/** Encodes change records as JSON. */
function jsonChange({ entityType, change, changeType, value, headers }: ChangeMembers): Buffer {
  const { urn, aspectName, systemMetadata, created } = change;
  const text = stringifyJson({
    entityType,
    entityUrn: urn,
    changeType,
    aspectName,
    aspect: value === undefined ? undefined : { value, contentType: 'application/json' },
    systemMetadata,
    headers,
    created: { time: created.time, actor: created.actor },
  });
  return Buffer.from(text, 'utf8');
}

/** The encodings of the two topics. */
export interface ChangeEncodings {
  /** Size of the largest value of a record; a larger one is left out. Default: {@link MAX_VALUE_BYTES}. **Units**: bytes. */
  readonly maxValueBytes?: number;
  readonly encode: ChangeEncoding;
  readonly encodeTimeseriesValue: ChangeEncoding;
}

export const JSON_ENCODINGS: ChangeEncodings = { encode: jsonChange, encodeTimeseriesValue: jsonChange };

/** The messages that publish one change. */
export interface ChangeMessages {
  /** For the topic of all changes. */
  readonly change: Message;
  /** For the topic of timeseries values. */
  readonly timeseriesValue?: Message;
}

/**
 * Builds the messages of a change. The headers and the key hold everything that the catalog's readers need, whatever
 * encodes the rest.
 *
 * A timeseries value is published twice: with its value in the timeseries topic, and without it in the topic of all
 * changes. A log that left changes out could not be told from one that has lost some. A deletion of timeseries values
 * goes to both.
 */
export async function toChangeMessages(
  change: ChangeRecord,
  identity: StoreIdentity,
  { encode, encodeTimeseriesValue, maxValueBytes = MAX_VALUE_BYTES }: ChangeEncodings,
): Promise<ChangeMessages> {
  const members = { ...toMembers(change), identity, maxValueBytes };
  if (change.timestamps !== undefined) {
    return {
      change: await toMessage(members, encode),
      timeseriesValue: await toMessage(members, encodeTimeseriesValue),
    };
  }
  if (change.kind !== 'timeseries') return { change: await toMessage(members, encode) };
  const note = { ...members, changeType: 'RESTATE' as const, value: undefined };
  return {
    change: await toMessage(note, encode, 'elsewhere'),
    timeseriesValue: await toMessage(members, encodeTimeseriesValue),
  };
}

function toMembers(change: ChangeRecord): ChangeMembers {
  return {
    entityType: entityTypeIn(change.urn),
    change,
    changeType: PUBLISHED_TYPES[change.kind],
    value: change.value,
    headers: toHeaders(change),
  };
}

function toHeaders({ timestamps = {} }: ChangeRecord): ProposalHeaders | undefined {
  const headers = formatTimeRangeHeaders(timestamps);
  return Object.keys(headers).length === 0 ? undefined : headers;
}

interface MessageMembers extends ChangeMembers {
  readonly identity: StoreIdentity;
  readonly maxValueBytes: number;
}

async function toMessage(
  { identity, maxValueBytes, ...members }: MessageMembers,
  encode: ChangeEncoding,
  absence?: 'elsewhere',
): Promise<Message> {
  const { change } = members;
  const whole = await encode(members);
  const isTooLarge = whole.length > maxValueBytes;
  const isErased = change.kind !== 'delete' && change.value === undefined;
  const missing = absence ?? (isTooLarge ? 'omitted' : isErased ? 'erased' : undefined);
  return {
    key: change.urn,
    partition: change.partition,
    timestamp: String(change.created.time),
    value: isTooLarge ? await encode({ ...members, value: undefined }) : whole,
    headers: {
      [POSITION]: `${String(change.partition)}:${String(change.seq)}`,
      [STORE]: storeText(identity),
      [ASPECT]: change.aspectName,
      [VERSION]: String(change.version),
      ...(change.kind === 'timeseries' ? { [KIND]: change.kind } : {}),
      ...(change.timestamps === undefined ? {} : { [TIMESTAMPS]: formatRange(change.timestamps) }),
      ...(missing === undefined ? {} : { [VALUE]: missing }),
    },
  };
}

/**
 * Reads the key of the change in a message. `undefined` for a message of another store or epoch, or of another program.
 */
export function parseChangeKey(
  partition: number,
  message: KafkaMessage,
  identity: StoreIdentity,
): ChangeKey | undefined {
  const header = (name: string): string => message.headers?.[name]?.toString() ?? '';
  if (header(STORE) !== storeText(identity)) return undefined;
  const [own, seq] = header(POSITION).split(':').map(Number);
  const version = Number(header(VERSION));
  if (own !== partition || seq === undefined || !Number.isSafeInteger(seq)) return undefined;
  const key = { partition, seq, urn: message.key?.toString() ?? '', aspectName: header(ASPECT), version };
  if (header(KIND) === 'timeseries') return { ...key, isTimeseriesValue: true };
  const timestamps = parseRange(header(TIMESTAMPS));
  return timestamps === undefined ? key : { ...key, timestamps };
}

function formatRange({ startMs, endMs }: TimeRange): string {
  return `${startMs === undefined ? '' : String(startMs)}..${endMs === undefined ? '' : String(endMs)}`;
}

function parseRange(text: string): TimeRange | undefined {
  if (!text.includes('..')) return undefined;
  const [start, end] = text.split('..').map((bound) => (bound === '' ? undefined : Number(bound)));
  return timeRange(start, end);
}

function storeText({ storeId, epoch }: StoreIdentity): string {
  return `${storeId}.${String(epoch)}`;
}
