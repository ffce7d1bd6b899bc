import { describe, expect, it } from '@jest/globals';
import type { WriteSet } from '@stratalog/ports';
import { A, B, together } from './testing/history';
import { SERIES, timeseriesValue, removal, entityRemoval, Store } from './testing/timeseries-records';

const kindsOf = ({ changes }: WriteSet): readonly string[] =>
  changes.map(({ kind, aspectName, version }) => `${kind} ${aspectName} ${String(version)}`);

describe('a timeseries value', () => {
  it('creates the key aspect and the defaults of a new entity, then a change of its own', () => {
    const store = new Store();
    const writes = store.apply([timeseriesValue(A, 500, '{"n":1}'), timeseriesValue(A, 400, '{"n":2}')]);
    expect(kindsOf(writes)).toEqual([
      'upsert tagKey 1',
      'upsert browsePathsV2 1',
      `timeseries ${SERIES} 500`,
      `timeseries ${SERIES} 400`,
    ]);
    expect(writes.outcomes).toEqual([
      { kind: 'written', version: 0, partition: 0, seq: 3 },
      { kind: 'written', version: 0, partition: 0, seq: 4 },
    ]);
    expect(writes.changes.at(-1)?.value).toBeUndefined();
    expect(writes.timeseriesValues?.map(({ seq, value }) => [seq, value])).toEqual([
      [3, '{"n":1}'],
      [4, '{"n":2}'],
    ]);
  });

  it('is replaced by a value of the same identity, and kept by an equal one', () => {
    const store = new Store();
    store.apply([timeseriesValue(A, 500, '{"n":1}')]);
    expect(kindsOf(store.apply([timeseriesValue(A, 500, '{"n":2}')]))).toEqual([`timeseries ${SERIES} 500`]);
    const again = store.apply([
      timeseriesValue(A, 500, '{"n":2}'),
      timeseriesValue(A, 500, '{"n":2}', 'other'),
    ]);
    expect(again.outcomes.map(({ kind }) => kind)).toEqual(['unchanged', 'written']);
    expect(again.outcomes[0]).toMatchObject({ seq: 4 });
    expect(store.timeseriesValues.size).toBe(2);
  });

  it('is deleted with its entity, and a later one creates the entity again', () => {
    const store = new Store();
    store.apply([timeseriesValue(A, 500, '{"n":1}'), timeseriesValue(B, 500, '{"n":1}')]);
    const writes = store.apply([entityRemoval(A), timeseriesValue(A, 600, '{"n":2}')]);
    expect(writes.timeseriesDeletions).toEqual([{ urn: A, within: {}, partition: 0, seq: 8, unstored: 0 }]);
    expect([...store.taken]).toEqual([[8, 1]]);
    expect(kindsOf(writes).slice(-3)).toEqual([
      'upsert tagKey 2',
      'upsert browsePathsV2 2',
      `timeseries ${SERIES} 600`,
    ]);
    expect(store.state.map(([id]) => id.split('\n')[2])).toEqual(['600', '500']);
  });

  it('a timeseries value that its own batch deletes is never stored', () => {
    const store = new Store();
    const writes = store.apply([
      timeseriesValue(A, 500, '{"n":1}'),
      timeseriesValue(A, 900, '{"n":1}'),
      removal(A, { endMs: 600 }),
      removal(A, { endMs: 600 }),
    ]);
    expect(writes.outcomes.map(({ kind }) => kind)).toEqual(['written', 'written', 'written', 'unchanged']);
    expect(store.state).toHaveLength(1);
    expect([...store.taken.values()]).toEqual([1]);
  });

  it('a timeseries value that was deleted leaves nothing for a wider range of the same batch', () => {
    const store = new Store();
    store.apply([timeseriesValue(A, 500, '{"n":1}'), timeseriesValue(A, 900, '{"n":1}')]);
    const ranges = [{ startMs: 500, endMs: 500 }, { endMs: 899 }, { startMs: 400 }, {}];
    const writes = store.apply(ranges.map((within) => removal(A, within)));
    expect(writes.outcomes.map(({ kind }) => kind)).toEqual(['written', 'unchanged', 'written', 'unchanged']);
    expect([...store.taken.values()]).toEqual([1, 1]);
  });

  it('is counted once by its deletion, stored, replaced or never stored', () => {
    const store = new Store();
    store.apply([timeseriesValue(A, 500, '{"n":1}'), timeseriesValue(A, 900, '{"n":1}')]);
    store.apply([
      timeseriesValue(A, 500, '{"n":2}'),
      removal(A, { endMs: 600 }),
      timeseriesValue(A, 500, '{"n":3}'),
      timeseriesValue(A, 501, '{"n":3}'),
      removal(A, { endMs: 600 }),
      removal(A),
    ]);
    expect([...store.taken.values()]).toEqual([1, 2, 1]);
  });

  it('a timeseries value that a batch deletes counts as with single proposals', () => {
    const store = new Store();
    store.apply([timeseriesValue(A, 500, '{"n":1}')]);
    store.apply([
      timeseriesValue(A, 600, '{"n":1}'),
      together(timeseriesValue(A, 600, '{"n":2}'), timeseriesValue(A, 700, '{"n":1}'), removal(A)),
      timeseriesValue(A, 800, '{"n":1}'),
      removal(A),
    ]);
    expect([...store.taken.values()]).toEqual([3, 1]);
  });
});
