import type { Proposal } from '@stratalog/domain';

export interface Series {
  /** The number of values, at even intervals. */
  readonly timeseriesValues: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

export const MEASURED_URN = 'urn:li:dataset:(urn:li:dataPlatform:hive,bench.measured,PROD)';

/** Returns the timestamp of a value in a series, by its number. */
export function computeTimestamp({ timeseriesValues, firstMs, lastMs }: Series, at: number): number {
  return firstMs + Math.round(((lastMs - firstMs) * at) / timeseriesValues);
}

/** Generates a profiler's proposals for one table over the years, oldest first. */
export function* toTimeseriesValues(series: Series): Generator<Proposal> {
  for (let at = 0; at < series.timeseriesValues; at++) {
    const value = {
      timestampMillis: computeTimestamp(series, at),
      rowCount: 1_000_000 + at,
      columnCount: 42,
      sizeInBytes: 4_096 * at,
      partitionSpec: { partition: 'FULL_TABLE_SNAPSHOT', type: 'FULL_TABLE' },
    };
    yield {
      entityType: 'dataset',
      urn: MEASURED_URN,
      aspectName: 'datasetProfile',
      changeType: 'UPSERT',
      value: JSON.stringify(value),
      systemMetadata: { lastObserved: 1_700_000_000_000, runId: 'bench' },
      actor: 'urn:li:corpuser:bench',
    };
  }
}

export interface UsageSeries {
  readonly entities: number;
  /** Values of each entity, one a day. */
  readonly days: number;
  /** Start of the last day. */
  readonly lastMs: number;
}

const DAY_MS = 86_400_000;

export function usedUrn(at: number): string {
  return `urn:li:dataset:(urn:li:dataPlatform:hive,bench.used_${String(at)},PROD)`;
}

/** Generates the daily usage of many tables, day after day. */
export function* toUsageValues({ entities, days, lastMs }: UsageSeries): Generator<Proposal> {
  for (let day = days - 1; day >= 0; day--) {
    for (let at = 0; at < entities; at++) {
      const users = [at % 50, (at + day) % 70].map((user, n) => ({
        user: `urn:li:corpuser:user${String(user)}`,
        count: 1 + ((at + n) % 9),
      }));
      const value = {
        timestampMillis: lastMs - day * DAY_MS,
        eventGranularity: { unit: 'DAY', multiple: 1 },
        totalSqlQueries: at % 100,
        uniqueUserCount: 2,
        topSqlQueries: [`select * from used_${String(at)}`],
        userCounts: users,
        fieldCounts: [{ fieldPath: 'id', count: at % 5 }],
      };
      yield {
        entityType: 'dataset',
        urn: usedUrn(at),
        aspectName: 'datasetUsageStatistics',
        changeType: 'UPSERT',
        value: JSON.stringify(value),
        systemMetadata: { lastObserved: 1_700_000_000_000, runId: 'bench' },
        actor: 'urn:li:corpuser:bench',
      };
    }
  }
}
