import { describe, expect, it } from '@jest/globals';
import type { PartitionSequences } from '@stratalog/domain';
import { PositionCheck } from './position-check';

describe('the check of a checkpoint', () => {
  const check = (stored: PartitionSequences, ...positions: readonly PartitionSequences[]) => {
    const own = new PositionCheck({ readPartitionSequences: () => Promise.resolve(stored) }, 'search index');
    return Promise.all(positions.map((each) => own.check({ position: () => Promise.resolve(each) })));
  };

  it('finds nothing in an index that lags or follows', async () => {
    const found = await check(new Map([[1, 9]]), new Map(), new Map([[1, 4]]), new Map([[1, 9]]));
    expect(found.map(({ kind }) => kind)).toEqual(['in order', 'in order', 'in order']);
  });

  it('finds an index that was put back, once', async () => {
    const found = await check(new Map([[1, 9]]), new Map([[1, 8]]), new Map([[1, 4]]), new Map([[1, 5]]));
    expect(found.map(({ kind }) => kind)).toEqual(['in order', 'went back', 'in order']);
  });

  it('finds an index that is ahead of its store, with the remedy', async () => {
    const [found] = await check(new Map([[1, 9]]), new Map([[1, 12]]));
    expect(found).toEqual({
      kind: 'ahead',
      reason:
        'the search index has change 12 of partition 1, and the store ends at 9: the store was put back to an older state. ' +
        'Run "stratalog store restored"',
    });
  });
});
