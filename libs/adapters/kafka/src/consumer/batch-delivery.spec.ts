import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Batch, Verdict } from '@stratalog/ports';
import { BatchDelivery, type IncomingRecord } from './batch-delivery';

interface DeliveredBatch {
  readonly batch: Batch<string>;
  readonly finish: () => void;
}

const MANY_RECORDS = 200;

describe('a delivery with two batches in flight', () => {
  let delivered: DeliveredBatch[];
  let delivery: BatchDelivery<string, void>;

  beforeEach(() => {
    delivered = [];
    delivery = new BatchDelivery({
      maxRecords: 1_000,
      twoInFlight: true,
      handler: (batch) =>
        new Promise<Verdict<void>>((resolve) => {
          delivered.push({
            batch,
            finish: () => {
              resolve({ kind: 'done', results: [] });
            },
          });
        }),
      onDone: () => undefined,
      onOffsetConflict: () => undefined,
    });
    for (const partition of [0, 1, 2, 3]) delivery.open(partition, 0);
  });

  afterEach(async () => {
    const stopped = delivery.stop();
    for (const { finish } of delivered) finish();
    await stopped;
  });

  it('delivers few records as one batch, and the next batch after it', async () => {
    for (const partition of [0, 1, 2]) void push(partition, 1, 5);
    await turns();
    expect(delivered.map(partitionsOf)).toEqual([[0, 1, 2]]);
    void push(3, 1, 5);
    await turns();
    expect(delivered).toHaveLength(1);
    delivered[0]?.finish();
    await turns();
    expect(delivered.map(partitionsOf)).toEqual([[0, 1, 2], [3]]);
  });

  it('delivers many records as two concurrent batches without a common partition', async () => {
    for (const partition of [0, 1, 2, 3]) void push(partition, 1, MANY_RECORDS);
    await turns();
    expect(delivered.map(partitionsOf)).toEqual([
      [0, 2],
      [1, 3],
    ]);
  });

  it('delivers the records of a partition in order, whichever batch ends first', async () => {
    for (const partition of [0, 1, 2, 3]) void push(partition, 1, MANY_RECORDS);
    await turns();
    for (const partition of [0, 1, 2, 3]) void push(partition, MANY_RECORDS + 1, MANY_RECORDS);
    await turns();
    expect(delivered).toHaveLength(2);
    delivered[1]?.finish();
    await turns();
    expect(delivered[2]?.batch.ranges).toEqual([
      { partition: 1, from: MANY_RECORDS, to: 2 * MANY_RECORDS },
      { partition: 3, from: MANY_RECORDS, to: 2 * MANY_RECORDS },
    ]);
    delivered[0]?.finish();
    await turns();
    expect(delivered[3]?.batch.ranges).toEqual([
      { partition: 0, from: MANY_RECORDS, to: 2 * MANY_RECORDS },
      { partition: 2, from: MANY_RECORDS, to: 2 * MANY_RECORDS },
    ]);
  });

  it('lets the reader wait while too many bytes wait, until a batch is done', async () => {
    let hasRoom = false;
    const pushed = push(0, 1, 1, 33 * 1024 * 1024).then(() => {
      hasRoom = true;
    });
    await turns();
    expect([delivered.length, hasRoom]).toEqual([1, false]);
    delivered[0]?.finish();
    await pushed;
    await push(0, 2, 1);
  });

  it('lets no reader wait for a dropped partition or after the stop', async () => {
    const dropped = push(0, 1, 1, 33 * 1024 * 1024);
    delivery.drop(0);
    await dropped;
    const stopped = push(1, 1, 1, 33 * 1024 * 1024);
    void delivery.stop();
    await stopped;
  });

  function push(partition: number, first: number, count: number, bytes = 1): Promise<void> {
    const records = Array.from({ length: count }, (_, at): IncomingRecord<string> => {
      const offset = first + at;
      return { record: { partition, offset, content: { kind: 'decoded', value: '' } }, bytes };
    });
    return delivery.push(partition, records, first + count - 1);
  }
});

function partitionsOf({ batch }: DeliveredBatch): number[] {
  return batch.ranges.map(({ partition }) => partition);
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
}
