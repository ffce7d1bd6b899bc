import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Batch, Verdict } from '@stratalog/ports';
import { BatchDelivery, type IncomingRecord } from './batch-delivery';

interface Handed {
  readonly batch: Batch<string>;
  readonly finish: () => void;
}

const MUCH = 200;

describe('a delivery in pairs', () => {
  let handed: Handed[];
  let delivery: BatchDelivery<string, void>;

  beforeEach(() => {
    handed = [];
    delivery = new BatchDelivery({
      maxRecords: 1_000,
      inPairs: true,
      handler: (batch) =>
        new Promise<Verdict<void>>((resolve) => {
          handed.push({
            batch,
            finish: () => {
              resolve({ kind: 'done', results: [] });
            },
          });
        }),
      onDone: () => undefined,
      onMoved: () => undefined,
    });
    for (const partition of [0, 1, 2, 3]) delivery.open(partition, 0);
  });

  afterEach(async () => {
    const stopped = delivery.stop();
    for (const { finish } of handed) finish();
    await stopped;
  });

  it('given few records, hands them over together and the next when they are done', async () => {
    for (const partition of [0, 1, 2]) push(partition, 1, 5);
    await turns();
    expect(handed.map(partitionsOf)).toEqual([[0, 1, 2]]);
    push(3, 1, 5);
    await turns();
    expect(handed).toHaveLength(1);
    handed[0]?.finish();
    await turns();
    expect(handed.map(partitionsOf)).toEqual([[0, 1, 2], [3]]);
  });

  it('given many, has two batches under way that share no partition', async () => {
    for (const partition of [0, 1, 2, 3]) push(partition, 1, MUCH);
    await turns();
    expect(handed.map(partitionsOf)).toEqual([
      [0, 2],
      [1, 3],
    ]);
  });

  it('hands the records of a partition over in order, whichever batch ends first', async () => {
    for (const partition of [0, 1, 2, 3]) push(partition, 1, MUCH);
    await turns();
    for (const partition of [0, 1, 2, 3]) push(partition, MUCH + 1, MUCH);
    await turns();
    expect(handed).toHaveLength(2);
    handed[1]?.finish();
    await turns();
    expect(handed[2]?.batch.ranges).toEqual([
      { partition: 1, from: MUCH, to: 2 * MUCH },
      { partition: 3, from: MUCH, to: 2 * MUCH },
    ]);
    handed[0]?.finish();
    await turns();
    expect(handed[3]?.batch.ranges).toEqual([
      { partition: 0, from: MUCH, to: 2 * MUCH },
      { partition: 2, from: MUCH, to: 2 * MUCH },
    ]);
  });

  function push(partition: number, first: number, count: number): void {
    const records = Array.from({ length: count }, (_, at): IncomingRecord<string> => {
      const offset = first + at;
      return { record: { partition, offset, content: { kind: 'decoded', value: '' } }, bytes: 1 };
    });
    delivery.push(partition, records, first + count - 1);
  }
});

function partitionsOf({ batch }: Handed): number[] {
  return batch.ranges.map(({ partition }) => partition);
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
}
