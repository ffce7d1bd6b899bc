import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { splitBatch } from '@stratalog/concurrency';
import type { Batch, Verdict } from '@stratalog/ports';
import { BatchDelivery } from './batch-delivery';
import type { IncomingRecord } from './partition-queue';

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

describe('a delivery whose handler leaves records, where urns alone keep their order', () => {
  let delivered: {
    readonly values: readonly string[];
    readonly settle: (verdict: Verdict<void, string>) => void;
    readonly batch: Batch<string>;
  }[];
  let delivery: BatchDelivery<string, void>;

  beforeEach(() => {
    delivered = [];
    delivery = new BatchDelivery<string, void>({
      maxRecords: 1_000,
      twoInFlight: true,
      urnsOf: (value) => [value.charAt(0)],
      handler: (batch) =>
        new Promise<Verdict<void, string>>((settle) => {
          const values = batch.records.flatMap(({ content }) =>
            content.kind === 'decoded' ? [content.value] : [],
          );
          delivered.push({ values, settle, batch });
        }),
      onDone: () => undefined,
      onOffsetConflict: () => undefined,
    });
    delivery.open(0, 0, [2]);
    delivery.open(1, 0);
  });

  const push = (partition: number, first: number, ...values: readonly string[]): void => {
    const records = values.map((value, at): IncomingRecord<string> => {
      const offset = first + at;
      return { record: { partition, offset, content: { kind: 'decoded', value } }, bytes: 1 };
    });
    void delivery.push(partition, records, first + values.length - 1);
  };
  /** Answers a batch, by default the last one: everything is done but records of the urn `a`, of which one is. */
  const answer = async (doneOfA: number, { batch, settle } = delivered.at(-1) ?? raise()): Promise<void> => {
    let seen = 0;
    const { rest } = splitBatch(
      batch,
      ({ content }) => content.kind === 'decoded' && content.value.startsWith('a') && ++seen > doneOfA,
    );
    settle({ kind: 'done', results: [], ...(rest.records.length === 0 ? {} : { rest }) });
    await turns();
  };
  const listValues = () => delivered.map(({ values }) => values);

  it('delivers new records of other urns in turn with those that were left, and none of the same urn before them', async () => {
    push(0, 1, 'a1', 'applied', 'a3', 'a4', 'b5');
    await turns();
    expect(listValues()).toEqual([['a1', 'a3', 'a4', 'b5']]);
    await answer(1);
    push(0, 6, 'a6', 'b7');
    await turns();
    expect(delivered[1]?.batch.ranges).toEqual([
      { partition: 0, from: 1, to: 5, ahead: { before: [2, 5], after: [] } },
    ]);
    await answer(1);
    expect(listValues().slice(1)).toEqual([['a3', 'a4'], ['b7']]);
    await answer(0);
    await answer(1);
    await answer(1);
    expect(listValues().slice(3)).toEqual([['a4'], ['a6']]);
    await answer(1);
    expect(delivered.at(-1)?.batch.ranges).toEqual([
      { partition: 0, from: 4, to: 7, ahead: { before: [5, 7], after: [] } },
    ]);
  });

  it('delivers other partitions beside records that were left', async () => {
    push(0, 1, 'a1', 'applied', 'a3');
    await turns();
    await answer(1);
    push(1, 1, 'b1');
    await turns();
    expect(listValues()).toEqual([['a1', 'a3'], ['a3'], ['b1']]);
  });

  it('delivers new records of a partition right after its records that were left, although other partitions had a turn', async () => {
    push(0, 1, 'a1', 'applied', 'a3', 'a4');
    await turns();
    await answer(1);
    push(1, 1, 'b1');
    await turns();
    push(0, 5, 'b5');
    const [, ofLeft] = delivered;
    await answer(0);
    if (ofLeft !== undefined) await answer(1, ofLeft);
    expect(listValues()).toEqual([['a1', 'a3', 'a4'], ['a3'], ['b1'], ['b5']]);
  });
});

function raise(): never {
  throw new Error('nothing was delivered');
}

function partitionsOf({ batch }: DeliveredBatch): number[] {
  return batch.ranges.map(({ partition }) => partition);
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
}
