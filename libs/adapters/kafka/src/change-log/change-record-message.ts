import {
  parseUrn,
  formatTimeRangeHeaders,
  stringifyJson,
  type ChangeKey,
  type ChangeRecord,
  type ProposalHeaders,
} from '@stratalog/model';
import type { StoreIdentity } from '@stratalog/ports';
import type { KafkaMessage, Message } from 'kafkajs';
import { MAX_VALUE_BYTES } from '../cluster/ensure-topics';

/** `partition:seq`: the change's place in the store, whatever offset it has in the topic. */
const POSITION = 'stratalog-position';
/** `storeId.epoch`: the store that the position means something in. */
const STORE = 'stratalog-store';
const ASPECT = 'stratalog-aspect';
const VERSION = 'stratalog-version';
/** `timeseriesValue` for the change that a point is. */
const KIND = 'stratalog-kind';
/**
 * Why there is no value: `omitted` when it was too large for the topic, `erased` when it is not in the store any more, `elsewhere` when the
 * topic of points has it.
 */
const VALUE = 'stratalog-value';

/** Turns the members of a change into the bytes of a record. */
export type ChangeEncoding = (members: ChangeMembers) => Promise<Buffer> | Buffer;

/** What a change record holds besides its headers. */
export interface ChangeMembers {
  readonly entityType: string;
  readonly change: ChangeRecord;
  readonly changeType: 'UPSERT' | 'DELETE' | 'RESTATE';
  readonly value: string | undefined;
  /** Of a deletion of points that is bounded: by which times. */
  readonly headers: ProposalHeaders | undefined;
}

const CHANGE_TYPES = {
  upsert: 'UPSERT',
  delete: 'DELETE',
  restate: 'RESTATE',
  timeseries: 'UPSERT',
} as const;

/** Change records as JSON. */
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

/** How the records of either topic are encoded. */
export interface ChangeEncodings {
  readonly encode: ChangeEncoding;
  readonly encodeTimeseriesValue: ChangeEncoding;
}

export const JSON_ENCODINGS: ChangeEncodings = { encode: jsonChange, encodeTimeseriesValue: jsonChange };

/** What is published of a change. */
export interface ChangeMessages {
  /** For the topic of all changes. */
  readonly change: Message;
  /** For the topic of points. */
  readonly timeseriesValue?: Message;
}

/**
 * A change as it is published: all that a reader of ours needs is in the headers and the key, whatever encodes the rest.
 *
 * A point is told twice: with its value to whoever follows points, and without to whoever follows the store, because a log that left changes
 * out could not be told from one that has lost some. A deletion of points concerns both.
 */
export async function messagesOfChange(
  change: ChangeRecord,
  identity: StoreIdentity,
  { encode, encodeTimeseriesValue }: ChangeEncodings,
): Promise<ChangeMessages> {
  const members = membersOf(change);
  if (change.timestamps !== undefined) {
    return {
      change: await toMessage(members, identity, encode),
      timeseriesValue: await toMessage(members, identity, encodeTimeseriesValue),
    };
  }
  if (change.kind !== 'timeseries') return { change: await toMessage(members, identity, encode) };
  const note = { ...members, changeType: 'RESTATE' as const, value: undefined };
  return {
    change: await toMessage(note, identity, encode, 'elsewhere'),
    timeseriesValue: await toMessage(members, identity, encodeTimeseriesValue),
  };
}

function membersOf(change: ChangeRecord): ChangeMembers {
  const parsed = parseUrn(change.urn);
  return {
    entityType: 'urn' in parsed ? parsed.urn.entityType : '',
    change,
    changeType: CHANGE_TYPES[change.kind],
    value: change.value,
    headers: headersOf(change),
  };
}

function headersOf({ timestamps = {} }: ChangeRecord): ProposalHeaders | undefined {
  const headers = formatTimeRangeHeaders(timestamps);
  return Object.keys(headers).length === 0 ? undefined : headers;
}

async function toMessage(
  members: ChangeMembers,
  identity: StoreIdentity,
  encode: ChangeEncoding,
  absence?: 'elsewhere',
): Promise<Message> {
  const { change } = members;
  const whole = await encode(members);
  const isTooLarge = whole.length > MAX_VALUE_BYTES;
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
      ...(missing === undefined ? {} : { [VALUE]: missing }),
    },
  };
}

/** Which change a message tells of; `undefined` for one of another store, of another epoch, or that is none of ours. */
export function changeKeyIn(
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
  return header(KIND) === 'timeseries' ? { ...key, isTimeseriesValue: true } : key;
}

function storeText({ storeId, epoch }: StoreIdentity): string {
  return `${storeId}.${String(epoch)}`;
}
