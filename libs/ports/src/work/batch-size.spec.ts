import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@stratalog/model';
import { WriteSize } from './write-size';

/** Writes to an index that has room for a number of entities at once, and returns the sizes of the attempts. */
async function attempts(size: WriteSize, room: number, until: number): Promise<readonly number[]> {
  const sizes: number[] = [];
  while (sizes.length < until) {
    const { entities } = size;
    sizes.push(entities);
    const write = (): Promise<void> =>
      entities > room ? Promise.reject(new UnavailableError('No room')) : Promise.resolve();
    await size.counted(entities, write).catch(() => undefined);
  }
  return sizes;
}

describe('The size of writes', () => {
  it('the size of writes is halved by each failure until a write fits', async () => {
    expect(await attempts(new WriteSize(), 30, 4)).toEqual([200, 100, 50, 25]);
  });

  it('stays at one entity when even one has no room', async () => {
    expect((await attempts(new WriteSize(), 0, 10)).slice(-3)).toEqual([1, 1, 1]);
  });

  it('the size of writes is doubled by each success up to the full size', async () => {
    const size = new WriteSize();
    await attempts(size, 0, 10);
    expect(size.isReduced).toBe(true);
    expect(await attempts(size, 1_000, 10)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 200, 200]);
    expect(size.isReduced).toBe(false);
  });

  it('the size of writes is not raised by a write that was smaller anyway', async () => {
    const size = new WriteSize();
    await attempts(size, 60, 3);
    await size.counted(7, () => Promise.resolve());
    expect(size.entities).toBe(100);
  });
});
