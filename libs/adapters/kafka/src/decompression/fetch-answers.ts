import type { KafkaMessage } from 'kafkajs';
import Decoder from 'kafkajs/src/protocol/decoder.js';
import decodeMessageSet from 'kafkajs/src/protocol/messageSet/decoder.js';
import decodeRecordBatch from 'kafkajs/src/protocol/recordBatch/v0/decoder.js';
import fetchResponse from 'kafkajs/src/protocol/requests/fetch/v11/response.js';

/**
 * Bytes of records after which an answer's partition keeps the rest of its batches for the next fetch. A fetch is bounded in compressed bytes
 * only.
 */
const ENOUGH_BYTES = 32 * 1024 * 1024;
/** Most records in a batch: each costs some hundred bytes of memory, and may have seven bytes in the batch. */
const MAX_RECORDS = 100_000;

/** Where the members of a batch of records lie. **Source**: Kafka's message format, version 2. */
const AT = {
  length: 8,
  magic: 16,
  attributes: 21,
  lastOffsetDelta: 23,
  maxTimestamp: 35,
  producerId: 43,
  count: 57,
  records: 61,
} as const;
const LENGTH_COUNTS_FROM = 12;
const TRANSACTIONAL = 0x10;
const RECORD_BATCH = 2;

/** Reasons of messages that stand for a batch which cannot be read. */
const reasons = new WeakMap<object, string>();

/** Why a message stands for a whole batch of its producer; `undefined` for a message that was read. */
export function whyUnreadable(message: KafkaMessage): string | undefined {
  return reasons.get(message);
}

/**
 * Replaces the decoding of fetch answers. kafkajs fails a whole fetch when one batch cannot be decompressed, and repeats it for ever; here such a
 * batch becomes one message. kafkajs also decompresses everything that an answer holds at once.
 */
export function repairFetchAnswers(): void {
  fetchResponse.decode = async (bytes) => {
    const decoder = new Decoder(bytes);
    const clientSideThrottleTime = decoder.readInt32();
    const errorCode = decoder.readInt16();
    const sessionId = decoder.readInt32();
    const room = { bytes: ENOUGH_BYTES };
    const responses = await decoder.readArrayAsync(async (each) => ({
      topicName: each.readString(),
      partitions: await each.readArrayAsync((partition) => decodePartition(partition, room)),
    }));
    // The broker expects that the client keeps the throttle time; zero keeps kafkajs from doing it a second time.
    return { throttleTime: 0, clientSideThrottleTime, errorCode, sessionId, responses };
  };
}

interface Room {
  bytes: number;
}

async function decodePartition(decoder: Decoder, room: Room): Promise<object> {
  return {
    partition: decoder.readInt32(),
    errorCode: decoder.readInt16(),
    highWatermark: decoder.readInt64().toString(),
    lastStableOffset: decoder.readInt64().toString(),
    lastStartOffset: decoder.readInt64().toString(),
    abortedTransactions: decoder.readArray((each) => ({
      producerId: each.readInt64().toString(),
      firstOffset: each.readInt64().toString(),
    })),
    preferredReadReplica: decoder.readInt32(),
    messages: await decodeMessages(decoder, room),
  };
}

/** Decodes at least the first batch: an answer without any would look like the end of the partition. */
async function decodeMessages(decoder: Decoder, room: Room): Promise<readonly KafkaMessage[]> {
  const size = decoder.readInt32();
  if (size <= 0 || !decoder.canReadBytes(size)) return [];
  const bytes = decoder.readBytes(size);
  if (bytes.readInt8(AT.magic) !== RECORD_BATCH) return decodeMessageSet(new Decoder(bytes), size);
  const messages: KafkaMessage[] = [];
  for (let at = 0; at + AT.records <= bytes.length;) {
    const end = at + LENGTH_COUNTS_FROM + bytes.readInt32BE(at + AT.length);
    // The broker cuts the last batch where the answer is full.
    if (end > bytes.length || (messages.length > 0 && room.bytes <= 0)) break;
    const records = await decodeBatch(bytes.subarray(at, end));
    for (const record of records) {
      messages.push(record);
      room.bytes -= record.value?.length ?? 0;
    }
    at = end;
  }
  return messages;
}

async function decodeBatch(batch: Buffer): Promise<readonly KafkaMessage[]> {
  const count = batch.readInt32BE(AT.count);
  try {
    if (count > MAX_RECORDS)
      throw new RangeError(`it has ${String(count)} records, more than ${String(MAX_RECORDS)}`);
    return (await decodeRecordBatch(new Decoder(batch))).records;
  } catch (error) {
    return [toUnreadable(batch, error)];
  }
}

/** Builds the message that stands for a batch, at the offset of its last record. */
function toUnreadable(batch: Buffer, error: unknown): KafkaMessage {
  const inTransaction = (batch.readInt16BE(AT.attributes) & TRANSACTIONAL) > 0;
  const message = {
    offset: (batch.readBigInt64BE(0) + BigInt(batch.readInt32BE(AT.lastOffsetDelta))).toString(),
    timestamp: batch.readBigInt64BE(AT.maxTimestamp).toString(),
    attributes: 0,
    key: null,
    value: batch.subarray(AT.records),
    headers: {},
    isControlRecord: false,
    batchContext: { producerId: batch.readBigInt64BE(AT.producerId).toString(), inTransaction },
  };
  reasons.set(message, `The batch cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  return message;
}
