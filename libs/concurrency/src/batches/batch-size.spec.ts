import { describe, expect, it } from '@jest/globals';
import { BatchSize } from './batch-size';

/** Writes to a server that has room for a number of items at once, and returns the sizes of the attempts. */
function attempts(size: BatchSize, room: number, until: number): readonly number[] {
  const sizes: number[] = [];
  while (sizes.length < until) {
    const { items } = size;
    sizes.push(items);
    if (items > room) size.failed(items / 2);
    else size.succeeded(items);
  }
  return sizes;
}

describe('The size of writes', () => {
  it('is halved by each failure until a write fits', () => {
    expect(attempts(new BatchSize(200), 30, 4)).toEqual([200, 100, 50, 25]);
  });

  it('stays at one entity when even one has no room', () => {
    expect(attempts(new BatchSize(200), 0, 10).slice(-3)).toEqual([1, 1, 1]);
  });

  it('is doubled by each success up to the full size', () => {
    const size = new BatchSize(200);
    attempts(size, 0, 10);
    expect(size.isReduced).toBe(true);
    expect(attempts(size, 1_000, 10)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 200, 200]);
    expect(size.isReduced).toBe(false);
  });

  it('is not raised by a write that was smaller anyway', () => {
    const size = new BatchSize(200);
    attempts(size, 60, 3);
    size.succeeded(7);
    expect(size.items).toBe(100);
  });

  it('has a cause once one item failed three times in a row', () => {
    const size = new BatchSize(200);
    expect(['a', 'a', 'b', 'a', 'a', 'a'].map((id) => size.isCause(id))).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });
});
