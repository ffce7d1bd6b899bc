import { expect, test } from '@jest/globals';
import { UnavailableError } from '@stratalog/model';
import type { TimeseriesIndex } from '@stratalog/ports';
import { TimeseriesGuard } from './timeseries-guard';

const SEQUENCES = new Map([[0, 7]]);
const INDEX = {
  position: () => Promise.resolve(SEQUENCES),
  count: () => Promise.resolve(3),
} as unknown as TimeseriesIndex;

function guardOver(countValues: () => Promise<number>): TimeseriesGuard {
  return new TimeseriesGuard({
    store: { readPartitionSequences: () => Promise.resolve(SEQUENCES) },
    source: { countValues },
    aspectNames: ['operation'],
    indexName: 'timeseries index',
    compareEveryMs: 3_600_000,
    onNotice: () => undefined,
  });
}

test('given another number of values in a store at rest, then the index is unusable', async () => {
  const guard = guardOver(() => Promise.resolve(4));
  expect(await guard.check(INDEX)).toBe('usable');
  expect(await guard.check(INDEX)).toBe('unusable');
});

test('given a count that the server ends, then the next check does not begin it again', async () => {
  let counts = 0;
  const guard = guardOver(() => {
    counts++;
    return Promise.reject(new UnavailableError('too long'));
  });
  await guard.check(INDEX);
  await expect(guard.check(INDEX)).rejects.toThrow('too long');
  expect(await guard.check(INDEX)).toBe('usable');
  expect(counts).toBe(1);
});
