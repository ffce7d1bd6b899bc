import { expect, test } from '@jest/globals';
import { UnavailableError, partitionOf, type TimeseriesField } from '@stratalog/domain';
import type { TimeseriesFilter, TimeseriesIndex, TimeseriesStatisticsQuery } from '@stratalog/ports';
import { IndexedStatistics } from './indexed-statistics';

const COUNT: TimeseriesField = { source: 'value', path: ['count'], kind: 'number' };
const OTHER: TimeseriesField = { source: 'value', path: ['other'], kind: 'number' };
const URN: TimeseriesField = { source: 'urn', path: [], kind: 'text' };
const ONE = 'urn:li:dataset:one';
const PARTITIONS = 4;
const OWN = partitionOf(ONE, PARTITIONS);
const ELSEWHERE = (OWN + 1) % PARTITIONS;
const IDENTITY = { storeId: 's', epoch: 1, mapping: 'm' };

interface State {
  /** The values that the index includes. */
  readonly reached?: Readonly<Record<number, number>>;
  readonly identity?: typeof IDENTITY;
  /** Absent: the query is not answered exactly. `away`: the index is unavailable. */
  readonly answer?: 'index' | 'none' | 'away';
  readonly isLive?: boolean;
}

/** Tells whether the index or the store answered. */
async function answeredBy(state: State, query: Partial<TimeseriesStatisticsQuery> = {}): Promise<string> {
  const { reached = { [OWN]: 5, [ELSEWHERE]: 7 }, identity = IDENTITY, answer = 'index' } = state;
  const result = (by: string) => ({ groups: [{ keys: [by], values: [] }], isCut: false });
  const index = {
    identity,
    position: () => Promise.resolve(new Map(Object.entries(reached).map(([at, seq]) => [Number(at), seq]))),
    aggregate: () => {
      if (answer === 'away') return Promise.reject(new UnavailableError('away'));
      return Promise.resolve(answer === 'none' ? undefined : result('index'));
    },
  } as unknown as TimeseriesIndex;
  const statistics = new IndexedStatistics({
    store: {
      identity: { storeId: 's', epoch: 1, partitions: PARTITIONS },
      readPartitionSequences: () =>
        Promise.resolve(
          new Map([
            [OWN, 5],
            [ELSEWHERE, 7],
          ]),
        ),
    },
    indexes: { live: () => Promise.resolve(state.isLive === false ? undefined : index) },
    mapping: 'm',
    fieldsOf: () => [COUNT],
    stored: {
      aggregate: () => Promise.resolve(result('store')),
      knowsTimeZone: () => Promise.resolve(true),
    },
  });
  const asked = {
    urnPrefix: 'urn:li:dataset:',
    aspectName: 'operation',
    metrics: [{ field: COUNT, aggregation: 'sum' as const }],
    groups: [],
    limit: 1,
    ...query,
  };
  return (await statistics.aggregate(asked)).groups[0]?.keys[0] ?? '';
}

const named = (urn: string): TimeseriesFilter => [
  [{ field: URN, test: { kind: 'one-of', values: [urn] }, negated: false }],
];
const withoutNamed: TimeseriesFilter = [
  [{ field: URN, test: { kind: 'one-of', values: [ONE] }, negated: true }],
];

test.each<[string, State, Partial<TimeseriesStatisticsQuery>, string]>([
  ['an index that includes every change', {}, {}, 'index'],
  ['no live index', { isLive: false }, {}, 'store'],
  ['an index behind the store', { reached: { [OWN]: 5, [ELSEWHERE]: 6 } }, {}, 'store'],
  [
    'an index behind elsewhere, for named entities',
    { reached: { [OWN]: 5 } },
    { filter: named(ONE) },
    'index',
  ],
  [
    'an index behind for named entities',
    { reached: { [OWN]: 4, [ELSEWHERE]: 7 } },
    { filter: named(ONE) },
    'store',
  ],
  [
    'an index behind elsewhere, for all but named ones',
    { reached: { [OWN]: 5 } },
    { filter: withoutNamed },
    'store',
  ],
  ['an index of another model', { identity: { ...IDENTITY, mapping: 'n' } }, {}, 'store'],
  ['an index of another epoch', { identity: { ...IDENTITY, epoch: 2 } }, {}, 'store'],
  [
    'an index whose rebuild is requested',
    { identity: { ...IDENTITY, mapping: 'm, to be replaced' } },
    {},
    'index',
  ],
  ['a query that the index does not answer exactly', { answer: 'none' }, {}, 'store'],
  ['an engine that is away', { answer: 'away' }, {}, 'store'],
  ['a field that the index lacks', {}, { groups: [{ kind: 'value', field: OTHER }] }, 'store'],
])('given %s, then the right one answers', async (_what, state, query, by) => {
  expect(await answeredBy(state, query)).toBe(by);
});
