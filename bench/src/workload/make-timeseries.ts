import type { Proposal } from '@stratalog/model';

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
