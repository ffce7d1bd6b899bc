import fc from 'fast-check';
import type { TimeseriesField } from '@stratalog/domain';
import type {
  TimePeriods,
  TimeseriesCriterion,
  TimeseriesFilter,
  TimeseriesMetric,
  TimeseriesStatisticsQuery,
  TimeseriesTest,
} from '@stratalog/ports';

const TEXTS = ['a', 'B', 'Äb', 'aB', '日本 😀', 'x\u0000y', "it's", 'urn:li:corpuser:a', '%_\\'];
const NUMBERS = [-2, 0, 0.25, 1, 1.5, 7, 1_000_000];
/** Includes the ends of summer times. */
const TIMES = [Date.UTC(2024, 1, 27), Date.UTC(2024, 2, 31), Date.UTC(2024, 9, 27), Date.UTC(2024, 10, 3)];
const HOUR_MS = 3_600_000;

const value = (path: string, kind: TimeseriesField['kind']): TimeseriesField => ({
  source: 'value',
  path: path.split('.'),
  kind,
});
const element = (path: string, kind: TimeseriesField['kind']): TimeseriesField => ({
  source: 'element',
  path: path.split('.'),
  kind,
});
const URN: TimeseriesField = { source: 'urn', path: [], kind: 'text' };
const TIME: TimeseriesField = { source: 'timestamp', path: [], kind: 'number' };
const PLAIN = [
  value('text', 'text'),
  value('number', 'number'),
  value('flag', 'boolean'),
  value('part.name', 'text'),
  { ...value('part.name', 'text'), fallback: 'B' },
  { ...value('number', 'number'), fallback: '7' },
];
const OF_USERS = [element('users.user', 'text'), element('users.count', 'number')];
const OF_TAGS = [element('tags', 'text')];

/** The fields of the values of `anyMembers`, and of those that the contract writes with them, for an index of them. */
export const STATISTICS_FIELDS: readonly TimeseriesField[] = [
  ...PLAIN,
  ...OF_USERS,
  ...OF_TAGS,
  value('tags', 'json'),
  value('big', 'number'),
  value('odd', 'text'),
];

/** Fields that order values. */
export const ORDER_FIELDS: readonly TimeseriesField[] = [
  ...PLAIN,
  { ...value('tags', 'text'), isList: true },
  { source: 'system-metadata', path: ['runId'], kind: 'text' },
  URN,
];

const text = fc.constantFrom(...TEXTS);
const number = fc.constantFrom(...NUMBERS);

const membersWith = (numbers: fc.Arbitrary<number>) =>
  fc.record(
    {
      text,
      number: numbers,
      flag: fc.boolean(),
      part: fc.record({ name: text }, { requiredKeys: [] }),
      tags: fc.array(text, { maxLength: 3 }),
      users: fc.array(fc.record({ user: text, count: numbers }, { requiredKeys: ['user'] }), {
        maxLength: 3,
      }),
    },
    { requiredKeys: [] },
  );

/** Members of a random timeseries value. */
export const anyMembers = membersWith(number);

/** Members of a random timeseries value whose numbers are whole. */
export const anyWholeMembers = membersWith(fc.constantFrom(...NUMBERS.filter(Number.isInteger)));

export const anyTime = fc
  .tuple(
    fc.constantFrom(...TIMES),
    fc.integer({ min: -48, max: 48 }),
    fc.integer({ min: 0, max: HOUR_MS - 1 }),
  )
  .map(([day, hours, ms]) => day + hours * HOUR_MS + ms);

const anyTest = (kind: TimeseriesField['kind']): fc.Arbitrary<TimeseriesTest> => {
  const compared: fc.Arbitrary<string | number> =
    kind === 'number' ? number : kind === 'boolean' ? fc.constantFrom('true', 'false') : text;
  const end = fc.record({ value: compared, isIncluded: fc.boolean() });
  return fc.oneof(
    fc.constant({ kind: 'exists' as const }),
    fc.record({ kind: fc.constant('one-of' as const), values: fc.array(compared, { maxLength: 3 }) }),
    fc.record({
      kind: fc.constantFrom('equal' as const, 'contain' as const, 'start' as const, 'end' as const),
      parts: fc.array(kind === 'text' ? text : compared.map(String), { minLength: 1, maxLength: 2 }),
    }),
    fc.record({ kind: fc.constant('range' as const), low: fc.option(end, { nil: undefined }), high: end }),
  );
};

function anyCriterion(urns: readonly string[]): fc.Arbitrary<TimeseriesCriterion> {
  const lists = [{ ...value('tags', 'text'), isList: true }];
  const ofValue = fc
    .constantFrom(...PLAIN, ...lists)
    .chain((field) =>
      fc.record({ field: fc.constant(field), test: anyTest(field.kind), negated: fc.boolean() }),
    );
  const ofUrn = fc.record({
    field: fc.constant(URN),
    test: fc.record({
      kind: fc.constant('one-of' as const),
      values: fc.subarray([...urns], { minLength: 1 }),
    }),
    negated: fc.boolean(),
  });
  const ofTime = fc.record({
    field: fc.constant(TIME),
    test: fc.record({
      kind: fc.constant('range' as const),
      low: fc.record({ value: anyTime.map(BigInt), isIncluded: fc.boolean() }),
    }),
    negated: fc.boolean(),
  });
  return fc.oneof(ofValue, ofUrn, ofTime);
}

export function anyFilter(urns: readonly string[]): fc.Arbitrary<TimeseriesFilter | undefined> {
  const list = fc.array(anyCriterion(urns), { minLength: 1, maxLength: 2 });
  return fc.option(fc.array(list, { minLength: 1, maxLength: 2 }), { nil: undefined });
}

const anyPeriods: fc.Arbitrary<TimePeriods> = fc
  .oneof(
    fc.record({
      unit: fc.constantFrom('SECOND' as const, 'MINUTE' as const, 'HOUR' as const),
      multiple: fc.constantFrom(1, 2, 12),
      timeZone: fc.constant('UTC'),
    }),
    fc.record({
      unit: fc.constantFrom('MINUTE' as const, 'HOUR' as const),
      multiple: fc.constant(1),
      timeZone: fc.constantFrom('Europe/Berlin', 'Asia/Kolkata'),
    }),
    fc.record({
      unit: fc.constantFrom(
        'DAY' as const,
        'WEEK' as const,
        'MONTH' as const,
        'QUARTER' as const,
        'YEAR' as const,
      ),
      multiple: fc.constantFrom(1, 2, 5),
      timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'),
    }),
  )
  .chain((periods) =>
    fc.boolean().map((isDescending) => ({ kind: 'time' as const, ...periods, isDescending })),
  );

const anyMetric = (fields: readonly TimeseriesField[]): fc.Arbitrary<TimeseriesMetric> =>
  fc
    .constantFrom(...fields)
    .chain((field) =>
      fc
        .constantFrom(
          ...([
            'latest',
            'count',
            'cardinality',
            ...(field.kind === 'number' ? ['sum' as const] : []),
          ] as const),
        )
        .map((aggregation) => ({ field, aggregation })),
    );

/** A random query of the values of `anyMembers`. */
export function anyQuery(
  urnPrefix: string,
  aspectName: string,
  urns: readonly string[],
): fc.Arbitrary<TimeseriesStatisticsQuery> {
  const whole = [...PLAIN, URN, TIME, value('tags', 'json')];
  const forms = [
    { keys: [...PLAIN, URN, value('tags', 'json')], metrics: [...whole, ...OF_USERS, ...OF_TAGS] },
    { keys: [...OF_USERS], metrics: [...OF_USERS, URN, TIME] },
    { keys: [...OF_TAGS, URN], metrics: [...OF_TAGS, TIME] },
  ];
  return fc.constantFrom(...forms).chain(({ keys, metrics }) => {
    const group = fc.oneof(
      anyPeriods,
      fc.record({
        kind: fc.constant('value' as const),
        field: fc.constantFrom(...keys.filter(({ kind }) => kind !== 'json' || keys.length > 3)),
        isDescending: fc.boolean(),
      }),
    );
    return fc.record({
      urnPrefix: fc.constant(urnPrefix),
      aspectName: fc.constant(aspectName),
      filter: anyFilter(urns),
      metrics: fc.array(anyMetric(metrics), { minLength: 1, maxLength: 3 }),
      groups: fc.array(group, { maxLength: 2 }),
      limit: fc.constant(10_000),
    });
  });
}
