import { parseUrn, stringifyJson, type ChangeKey, type ChangeRecord } from '@stratalog/model';
import type { StoreIdentity } from '@stratalog/ports';
import type { KafkaMessage, Message } from 'kafkajs';
import { MAX_VALUE_BYTES } from './ensure-topics';

/** `partition:seq`: the change's place in the store, whatever offset it has in the topic. */
const POSITION = 'stratalog-position';
/** `storeId.epoch`: the store that the position means something in. */
const STORE = 'stratalog-store';
const ASPECT = 'stratalog-aspect';
const VERSION = 'stratalog-version';
/** Why there is no value: `omitted` when it was too large for the topic, `erased` when it is not in the store any more. */
const VALUE = 'stratalog-value';

/** Turns the members of a change into the bytes of a record. */
export type ChangeEncoding = (members: ChangeMembers) => Promise<Buffer> | Buffer;

/** What a change record holds besides its headers. */
export interface ChangeMembers {
  readonly entityType: string;
  readonly change: ChangeRecord;
  readonly changeType: 'UPSERT' | 'DELETE' | 'RESTATE';
  readonly value: string | undefined;
}

const CHANGE_TYPES = { upsert: 'UPSERT', delete: 'DELETE', restate: 'RESTATE' } as const;

/** Change records as JSON. */
export function jsonChange({ entityType, change, changeType, value }: ChangeMembers): Buffer {
  const { urn, aspectName, systemMetadata, created } = change;
  const text = stringifyJson({
    entityType,
    entityUrn: urn,
    changeType,
    aspectName,
    aspect: value === undefined ? undefined : { value, contentType: 'application/json' },
    systemMetadata,
    created: { time: created.time, actor: created.actor },
  });
  return Buffer.from(text, 'utf8');
}

/** A change as it is published: all that a reader of ours needs is in the headers and the key, whatever encodes the rest. */
export async function messageOfChange(
  change: ChangeRecord,
  identity: StoreIdentity,
  encode: ChangeEncoding,
): Promise<Message> {
  const parsed = parseUrn(change.urn);
  const members = {
    entityType: 'urn' in parsed ? parsed.urn.entityType : '',
    change,
    changeType: CHANGE_TYPES[change.kind],
    value: change.value,
  };
  const whole = await encode(members);
  const isTooLarge = whole.length > MAX_VALUE_BYTES;
  const isErased = change.kind !== 'delete' && change.value === undefined;
  const missing = isTooLarge ? 'omitted' : isErased ? 'erased' : undefined;
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
  return { partition, seq, urn: message.key?.toString() ?? '', aspectName: header(ASPECT), version };
}

function storeText({ storeId, epoch }: StoreIdentity): string {
  return `${storeId}.${String(epoch)}`;
}
