import { describe, expect, it } from '@jest/globals';
import { NotCaughtUpError, UnavailableError, type PartitionSequences } from '@stratalog/model';
import { CheckpointPoller } from './checkpoint-poller';

/** An index that stands somewhere; it counts how often it is asked where. */
class Index {
  seq = 0;
  looks = 0;
  isAway = false;

  live(): Promise<this> {
    return Promise.resolve(this);
  }

  position(): Promise<PartitionSequences> {
    this.looks++;
    if (this.isAway) return Promise.reject(new UnavailableError('away'));
    return Promise.resolve(new Map([[3, this.seq]]));
  }
}

const at = (seq: number): PartitionSequences => new Map([[3, seq]]);

describe('CheckpointPoller', () => {
  it('answers who waits once the index is there', async () => {
    const index = new Index();
    const watch = new CheckpointPoller('search index', index);
    const order: number[] = [];
    const waiting = [2, 1].map((seq) => watch.until(at(seq), 10_000).then(() => order.push(seq)));
    index.seq = 1;
    await waiting[1];
    index.seq = 2;
    await Promise.all(waiting);
    expect(order).toEqual([1, 2]);
  });

  it('asks once for all who wait', async () => {
    const index = new Index();
    const watch = new CheckpointPoller('search index', index);
    const waiting = Array.from({ length: 100 }, (_, seq) => watch.until(at(seq), 10_000));
    index.seq = 100;
    await Promise.all(waiting);
    expect(index.looks).toBeLessThanOrEqual(3);
  });

  it('gives up after the time, with how much is missing', async () => {
    const index = new Index();
    index.seq = 2;
    const late = new CheckpointPoller('search index', index).until(at(9), 60);
    await expect(late).rejects.toThrow(NotCaughtUpError);
    await expect(late).rejects.toThrow('The search index is 7 changes behind the position after 60 ms');
  });

  it('tells everybody when the index is away, and asks again for who comes next', async () => {
    const index = new Index();
    const watch = new CheckpointPoller('search index', index);
    index.isAway = true;
    await expect(watch.until(at(1), 10_000)).rejects.toThrow('away');
    index.isAway = false;
    index.seq = 1;
    await watch.until(at(1), 10_000);
  });
});
