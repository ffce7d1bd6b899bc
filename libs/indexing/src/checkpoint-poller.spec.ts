import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { NotCaughtUpError, UnavailableError, type PartitionSequences } from '@stratalog/model';
import { Notifier } from '@stratalog/ports';
import { CheckpointPoller } from './checkpoint-poller';

/** An index with a settable checkpoint; it counts the reads of the checkpoint. */
class Index {
  readonly moves = new Notifier();
  identity = { storeId: 's', epoch: 1, mapping: 'm' };
  seq = 0;
  polls = 0;
  isAway = false;

  live(): Promise<this> {
    return Promise.resolve(this);
  }

  position(): Promise<PartitionSequences> {
    this.polls++;
    if (this.isAway) return Promise.reject(new UnavailableError('away'));
    return Promise.resolve(new Map([[3, this.seq]]));
  }
}

const STORE = { identity: { storeId: 's', epoch: 1, partitions: 4 } };
const at = (seq: number): PartitionSequences => new Map([[3, seq]]);

describe('CheckpointPoller', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('resolves each waiter once the index includes its position', async () => {
    const index = new Index();
    const poller = new CheckpointPoller('search index', index, STORE);
    const order: number[] = [];
    const waiting = [2, 1].map((seq) => poller.until(at(seq), 10_000).then(() => order.push(seq)));
    index.seq = 1;
    await waiting[1];
    index.seq = 2;
    await Promise.all(waiting);
    expect(order).toEqual([1, 2]);
  });

  it('reads nothing from an index of a former epoch', async () => {
    const index = new Index();
    index.seq = 9;
    index.identity = { ...index.identity, epoch: 0 };
    const poller = new CheckpointPoller('search index', index, STORE);
    await expect(poller.until(at(1), 50)).rejects.toBeInstanceOf(NotCaughtUpError);
  });

  it('polls at once when this process has moved the checkpoint', async () => {
    // No time passes, so no poll is due.
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const index = new Index();
    const waiting = new CheckpointPoller('search index', index, STORE).until(at(1), 10_000);
    await setImmediate();
    index.seq = 1;
    index.moves.notify();
    await waiting;
    expect(index.polls).toBe(2);
  });

  it('polls once for all waiters', async () => {
    const index = new Index();
    const poller = new CheckpointPoller('search index', index, STORE);
    const waiting = Array.from({ length: 100 }, (_, seq) => poller.until(at(seq), 10_000));
    index.seq = 100;
    await Promise.all(waiting);
    expect(index.polls).toBeLessThanOrEqual(3);
  });

  it('fails after the timeout with the number of missing changes', async () => {
    const index = new Index();
    index.seq = 2;
    const late = new CheckpointPoller('search index', index, STORE).until(at(9), 60);
    await expect(late).rejects.toThrow(NotCaughtUpError);
    await expect(late).rejects.toThrow('The search index is 7 changes behind the position after 60 ms');
  });

  it('rejects all waiters when the index is unavailable, and polls again for the next', async () => {
    const index = new Index();
    const poller = new CheckpointPoller('search index', index, STORE);
    index.isAway = true;
    await expect(poller.until(at(1), 10_000)).rejects.toThrow('away');
    index.isAway = false;
    index.seq = 1;
    await poller.until(at(1), 10_000);
  });
});
