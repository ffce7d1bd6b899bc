import { expect, test } from '@jest/globals';
import { UnavailableError } from '@stratalog/domain';
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

test('the index is unusable when a store at rest has another number of values', async () => {
  const guard = guardOver(() => Promise.resolve(4));
  expect(await guard.check(INDEX)).toBe('usable');
  expect(await guard.check(INDEX)).toBe('unusable');
});

test('the next check does not repeat a count that the server has ended', async () => {
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
