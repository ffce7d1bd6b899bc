import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  InvalidRequestError,
  NotCaughtUpError,
  UnavailableError,
  type PartitionSequences,
} from '@stratalog/domain';
import { Notifier } from '@stratalog/concurrency';
import { PositionedReads, type IndexedAnswer } from './positioned-reads';

/** An index with a settable checkpoint; it counts the reads of the checkpoint. */
class Index {
  readonly moves = new Notifier();
  identity = { storeId: 's', epoch: 1, mapping: 'm' };
  polls = 0;
  isAway = false;

  constructor(public seq: number) {}

  live(): Promise<this> {
    return Promise.resolve(this);
  }

  position(): Promise<PartitionSequences> {
    this.polls++;
    if (this.isAway) return Promise.reject(new UnavailableError('away'));
    return Promise.resolve(at(this.seq));
  }
}

const at = (seq: number): PartitionSequences => new Map([[3, seq]]);
const WANTED = { storeId: 's', epoch: 1, seqs: at(5) };

function readsOf(index: Index, positionTimeoutMs = 10_000): PositionedReads {
  return new PositionedReads({
    store: {
      identity: { storeId: 's', epoch: 1, partitions: 4 },
      readPartitionSequences: () => Promise.resolve(at(9)),
    },
    indexes: index,
    indexName: 'search index',
    positionTimeoutMs,
  });
}

/** Returns a query that is answered as of the next of `positions` each time, and as of the last from then on. */
function queryAnsweredAt(...positions: readonly number[]): () => Promise<IndexedAnswer<string>> {
  let asked = 0;
  return () => {
    const seq = positions[Math.min(asked, positions.length - 1)] ?? 0;
    asked++;
    return Promise.resolve({ body: `as of ${String(seq)}`, position: at(seq), lag: 0 });
  };
}

afterEach(() => {
  jest.useRealTimers();
});

describe('An answer of PositionedReads', () => {
  it('asks again when another index than the one that had reached the position has answered', async () => {
    const answer = await readsOf(new Index(5)).answer(WANTED, queryAnsweredAt(3, 4, 6));
    expect(answer).toMatchObject({ body: 'as of 6', at: { seqs: at(6) } });
  });

  it('gives no answer from before the position, however long the index that answers is behind', async () => {
    const answer = readsOf(new Index(5), 100).answer(WANTED, queryAnsweredAt(3));
    await expect(answer).rejects.toBeInstanceOf(NotCaughtUpError);
  });

  it('answers at once when no position is wanted', async () => {
    const answer = await readsOf(new Index(5)).answer(undefined, queryAnsweredAt(3, 6));
    expect(answer).toMatchObject({ body: 'as of 3', at: { seqs: at(3) } });
  });

  it.each([
    ['of another store', { ...WANTED, storeId: 't' }],
    ['of another epoch', { ...WANTED, epoch: 2 }],
    ['ahead of the store', { ...WANTED, seqs: at(10) }],
  ])('rejects a position %s without asking the index', async (_, wanted) => {
    const index = new Index(10);
    const answer = readsOf(index).answer(wanted, queryAnsweredAt(10));
    await expect(answer).rejects.toBeInstanceOf(InvalidRequestError);
    expect(index.polls).toBe(0);
  });
});

describe('The wait of PositionedReads', () => {
  it('ends for each waiter once the index includes its position', async () => {
    const index = new Index(0);
    const reads = readsOf(index);
    const order: number[] = [];
    const waiting = [2, 1].map((seq) => reads.waitUntil(at(seq)).then(() => order.push(seq)));
    index.seq = 1;
    await waiting[1];
    index.seq = 2;
    await Promise.all(waiting);
    expect(order).toEqual([1, 2]);
  });

  it('reads nothing from an index of a former epoch', async () => {
    const index = new Index(9);
    index.identity = { ...index.identity, epoch: 0 };
    await expect(readsOf(index, 50).waitUntil(at(1))).rejects.toBeInstanceOf(NotCaughtUpError);
  });

  it('polls at once when this process has moved the checkpoint', async () => {
    // No time passes, so no poll is due.
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const index = new Index(0);
    const waiting = readsOf(index).waitUntil(at(1));
    await setImmediate();
    index.seq = 1;
    index.moves.notify();
    await waiting;
    expect(index.polls).toBe(2);
  });

  it('polls once for all waiters', async () => {
    const index = new Index(0);
    const reads = readsOf(index);
    const waiting = Array.from({ length: 100 }, (_, seq) => reads.waitUntil(at(seq)));
    index.seq = 100;
    await Promise.all(waiting);
    expect(index.polls).toBeLessThanOrEqual(3);
  });

  it('fails after the timeout with the number of missing changes', async () => {
    const late = readsOf(new Index(2), 60).waitUntil(at(9));
    await expect(late).rejects.toThrow(NotCaughtUpError);
    await expect(late).rejects.toThrow('The search index is 7 changes behind the position after 60 ms');
  });

  it('rejects all waiters when the index is unavailable, and polls again for the next', async () => {
    const index = new Index(1);
    const reads = readsOf(index);
    index.isAway = true;
    await expect(reads.waitUntil(at(1))).rejects.toThrow('away');
    index.isAway = false;
    await reads.waitUntil(at(1));
  });
});
