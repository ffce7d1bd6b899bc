import { beforeAll, expect, it } from '@jest/globals';
import fetchResponse from 'kafkajs/src/protocol/requests/fetch/v11/response.js';
import { repairFetchAnswers, whyUnreadable } from './fetch-answers';

/** A batch that claims a number of records; none of them is there. **Source**: Kafka's message format, version 2. */
function batchOf(baseOffset: number, records: number): Buffer {
  const batch = Buffer.alloc(61);
  batch.writeBigInt64BE(BigInt(baseOffset), 0);
  batch.writeInt32BE(batch.length - 12, 8);
  batch.writeInt8(2, 16);
  batch.writeInt32BE(records - 1, 23);
  batch.writeInt32BE(records, 57);
  return batch;
}

/** The answer of a fetch with one partition. **Source**: Kafka's protocol, version 11 of fetch. */
function answerWith(batches: readonly Buffer[]): Buffer {
  const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
  const int32 = (value: number): Buffer => Buffer.concat([int16(value >>> 16), int16(value & 65_535)]);
  const int64 = (value: number): Buffer => Buffer.concat([int32(0), int32(value)]);
  const records = Buffer.concat(batches);
  const partition = [
    int32(0),
    int16(0),
    int64(9),
    int64(9),
    int64(0),
    int32(0),
    int32(0),
    int32(records.length),
    records,
  ];
  const topic = [int16(1), Buffer.from('t'), int32(1), ...partition];
  return Buffer.concat([int32(0), int16(0), int32(0), int32(1), ...topic]);
}

beforeAll(() => {
  repairFetchAnswers();
});

it('a batch of more records than it may have is one message, at the offset of its last record', async () => {
  const { responses } = (await fetchResponse.decode(
    answerWith([batchOf(7, 100_001), batchOf(100_008, 200_000)]),
  )) as {
    readonly responses: readonly {
      readonly partitions: readonly { readonly messages: readonly Parameters<typeof whyUnreadable>[0][] }[];
    }[];
  };
  const messages = responses[0]?.partitions[0]?.messages ?? [];
  expect(messages.map((message) => [message.offset, whyUnreadable(message)])).toEqual([
    ['100007', 'The batch cannot be read: it has 100001 records, more than 100000'],
    ['300007', 'The batch cannot be read: it has 200000 records, more than 100000'],
  ]);
});
