import { parseJson, type JsonOutput, type JsonOutputObject, type Steps } from '@stratalog/json';
import { inSlices } from '@stratalog/concurrency';
import type { TimeseriesGroup } from '@stratalog/ports';
import type { StatisticsDeps } from '../statistics/compute-statistics';
import { requireStoredTimeZone } from '../statistics/require-time-zone';
import { MAX_GROUPS } from '../statistics/max-groups';
import { fillPeriods } from './fill-periods';
import {
  aggregateSeries,
  inElement,
  inValue,
  selectSeries,
  toPeriods,
  tooManyParts,
  type SeriesRequest,
} from './query-series';

const USAGE = 'datasetUsageStatistics';
const PER_PERIOD = [
  inValue('uniqueUserCount', 'number'),
  inValue('totalSqlQueries', 'number'),
  inValue('topSqlQueries', 'json'),
];
const USER = inElement('userCounts', 'user', 'text');
const USER_COUNT = inElement('userCounts', 'count', 'number');
const USER_EMAIL = inElement('userCounts', 'userEmail', 'text');
const FIELD = inElement('fieldCounts', 'fieldPath', 'text');
const FIELD_COUNT = inElement('fieldCounts', 'count', 'number');
/** The most used come first. */
const MOST_FIRST = { byMetric: true, isDescending: true } as const;

/**
 * Reads the usage of a dataset: the newest numbers of each period, and users and columns over all of them, the most
 * active first.
 *
 * **Shape**: `UsageQueryResult` of `models/answers/usage`; periods are in the order of time, from the first with values
 * to the last. A period between them without values has no numbers.
 *
 * **Errors**: those of `selectSeries` and `aggregateSeries`.
 *
 * **Source**: `docs/wire-decisions.md`, Reading.
 */
export async function queryUsage(
  { registry, statistics }: StatisticsDeps,
  request: SeriesRequest,
): Promise<JsonOutputObject> {
  const series = selectSeries(registry, USAGE, request);
  await requireStoredTimeZone(statistics, { timeZone: request.timeZone, path: '/timeZone' });
  const top = { ...MOST_FIRST, size: series.limit + 1 };
  const [periods, users, fields] = await Promise.all([
    aggregateSeries(
      { statistics },
      {
        ...series,
        groups: [toPeriods(request)],
        metrics: PER_PERIOD.map((field) => ({ field, aggregation: 'latest' as const })),
      },
    ),
    aggregateSeries(
      { statistics },
      {
        ...series,
        top,
        groups: [{ kind: 'value', field: USER }],
        metrics: [
          { field: USER_COUNT, aggregation: 'sum' },
          { field: USER_EMAIL, aggregation: 'latest' },
        ],
      },
    ),
    aggregateSeries(
      { statistics },
      {
        ...series,
        top,
        groups: [{ kind: 'value', field: FIELD }],
        metrics: [{ field: FIELD_COUNT, aggregation: 'sum' }],
      },
    ),
  ]);
  const totals = periods.flatMap(({ values: [, total] }) => (total === undefined ? [] : [Number(total)]));
  return {
    buckets: await inSlices(formatBuckets(request, periods)),
    aggregations: {
      uniqueUserCount: users.length,
      ...(totals.length === 0 ? {} : { totalSqlQueries: totals.reduce((sum, total) => sum + total, 0) }),
      users: users.map(({ keys: [user = ''], values: [count, userEmail] }) => ({
        user,
        count: Number(count ?? 0),
        userEmail,
      })),
      fields: fields.map(({ keys: [fieldName = ''], values: [count] }) => ({
        fieldName,
        count: Number(count ?? 0),
      })),
    },
  };
}

/** The texts of queries in an answer may have megabytes. */
function* formatBuckets(
  request: SeriesRequest,
  periods: readonly TimeseriesGroup[],
): Steps<readonly JsonOutput[]> {
  const buckets: JsonOutput[] = [];
  const valuesOf = new Map(periods.map(({ keys: [start], values }) => [Number(start), values]));
  for (const start of fillPeriods([...valuesOf.keys()], request)) {
    if (buckets.length === MAX_GROUPS) throw tooManyParts();
    buckets.push(toBucket(request, start, valuesOf.get(start) ?? []));
    yield;
  }
  return buckets;
}

function toBucket(
  { duration, resource }: SeriesRequest,
  bucket: number,
  [users, queries, texts]: TimeseriesGroup['values'],
): JsonOutput {
  return {
    bucket,
    duration,
    resource,
    metrics: {
      uniqueUserCount: users === undefined ? undefined : Number(users),
      totalSqlQueries: queries === undefined ? undefined : Number(queries),
      topSqlQueries: texts === undefined ? undefined : parseJson(texts),
    },
  };
}
