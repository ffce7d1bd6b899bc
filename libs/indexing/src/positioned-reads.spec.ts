import { describe, expect, it } from '@jest/globals';
import { NotCaughtUpError, type PartitionSequences } from '@stratalog/model';
import { Notifier } from '@stratalog/ports';
import { PositionedReads, type IndexedAnswer } from './positioned-reads';

const identity = { storeId: 's', epoch: 1, partitions: 4 };
const at = (seq: number): PartitionSequences => new Map([[3, seq]]);
const WANTED = { storeId: 's', epoch: 1, seqs: at(5) };

/** Reads of an index that has reached the wanted position; each question is answered as of the next of `positions`. */
function readsAnsweredAt(positionTimeoutMs: number, ...positions: readonly number[]) {
  const live = { identity: { ...identity, mapping: 'm' }, position: () => Promise.resolve(at(5)) };
  const reads = new PositionedReads({
    store: { identity, readPartitionSequences: () => Promise.resolve(at(9)) },
    indexes: { moves: new Notifier(), live: () => Promise.resolve(live) },
    indexName: 'search index',
    positionTimeoutMs,
  });
  let asked = 0;
  const query = (): Promise<IndexedAnswer<string>> => {
    const seq = positions[Math.min(asked, positions.length - 1)] ?? 0;
    asked++;
    return Promise.resolve({ body: `as of ${String(seq)}`, position: at(seq), lag: 0 });
  };
  return { reads, query };
}

describe('PositionedReads', () => {
  it('asks again when another index than the one that had reached the position has answered', async () => {
    const { reads, query } = readsAnsweredAt(10_000, 3, 4, 6);
    expect(await reads.answer(WANTED, query)).toMatchObject({ body: 'as of 6', at: { seqs: at(6) } });
  });

  it('gives no answer from before the position, however long the index that answers is behind', async () => {
    const { reads, query } = readsAnsweredAt(100, 3);
    await expect(reads.answer(WANTED, query)).rejects.toBeInstanceOf(NotCaughtUpError);
  });

  it('answers at once when no position is wanted', async () => {
    const { reads, query } = readsAnsweredAt(10_000, 3, 6);
    expect(await reads.answer(undefined, query)).toMatchObject({ body: 'as of 3', at: { seqs: at(3) } });
  });
});
