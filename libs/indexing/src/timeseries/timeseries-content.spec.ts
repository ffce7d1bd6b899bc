import { expect, test } from '@jest/globals';
import {
  FaultError,
  timeseriesFieldKey,
  type TimeseriesEntry,
  type TimeseriesField,
} from '@stratalog/domain';
import type { TimeseriesIndex } from '@stratalog/ports';
import { restoreTimeseries } from './timeseries-content';

const COUNT: TimeseriesField = { source: 'value', path: ['count'], kind: 'number' };
const URN = 'urn:li:dataset:one';

const valueAt = (timestampMs: number, value: string) => ({
  urn: URN,
  aspectName: 'operation',
  timestampMs,
  valueKey: 'k',
  seq: timestampMs,
  value,
});

test('values that cannot be projected, or that the index rejects, have an entry without fields', async () => {
  const written = new Map<number, TimeseriesEntry>();
  const unindexable: string[] = [];
  const index = {
    write: (entries: readonly TimeseriesEntry[]) => {
      if (entries.some(({ fields }) => Object.values(fields).includes(7)))
        return Promise.reject(new FaultError('rejected'));
      for (const entry of entries) written.set(entry.timestampMs, entry);
      return Promise.resolve();
    },
    makeVisible: () => Promise.resolve(),
    listEntries: () => Promise.resolve([]),
  } as unknown as TimeseriesIndex;
  const pages = [[valueAt(1, '{"count":5}'), valueAt(2, '{"count":7}'), valueAt(3, '{"count"')], []];
  await restoreTimeseries(
    {
      source: {
        readRange: () => Promise.resolve(pages.shift() ?? []),
        readWritten: () => Promise.resolve({ values: [], read: 0 }),
        filterStored: () => Promise.resolve([]),
        countValues: () => Promise.resolve(0),
      },
      fieldsOf: () => [COUNT],
      onUnindexable: (urn) => unindexable.push(urn),
    },
    index,
    URN,
  );
  const key = timeseriesFieldKey(COUNT);
  expect(
    [...written.values()].map(({ timestampMs, fields, inexact }) => [timestampMs, fields, inexact]),
  ).toEqual([
    [1, { [key]: 5 }, []],
    [2, {}, [key]],
    [3, {}, [key]],
  ]);
  expect(unindexable).toEqual([URN, URN]);
});
