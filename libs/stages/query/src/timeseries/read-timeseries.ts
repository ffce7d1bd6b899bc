import {
  InvalidRequestError,
  bytesOfJson,
  type JsonOutputObject,
  type TimeseriesValue,
  type TimeRange,
} from '@stratalog/model';
import type { AspectStore, TimeseriesFilter } from '@stratalog/ports';
import type { AspectType } from '@stratalog/registry';
import type { ReadDeps } from '../entities/view-entities';

export const MAX_TIMESERIES_VALUES = 10_000;

export interface TimeseriesRequest {
  readonly urn: string;
  readonly aspect: AspectType;
  readonly entityName: string;
  readonly within: TimeRange;
  readonly latestFirst: boolean;
  readonly limit: number;
  readonly filter: TimeseriesFilter | undefined;
}

/** Largest answer; a larger one is rejected, because the envelope cannot mark a truncated answer. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const PAGE = 1_000;

/**
 * Reads the values of a timeseries aspect in a time range that pass a filter, at most `limit`.
 *
 * **Shape**: the contract's envelope; each value is the stored JSON text, in ASCII.
 *
 * **Errors**: `InvalidRequestError` when the answer would be too large.
 *
 * **Source**: `docs/wire-decisions.md`, Reading; `docs/what/timeseries-value.md`.
 */
export async function readTimeseries(
  { store }: Pick<ReadDeps, 'store'>,
  query: TimeseriesRequest,
): Promise<JsonOutputObject> {
  const { aspect, entityName, within, limit } = query;
  const timeseriesValues = await collect(store, query);
  return {
    entityName,
    aspectName: aspect.name,
    startTimeMillis: within.startMs,
    endTimeMillis: within.endMs,
    limit,
    values: timeseriesValues.map(({ value, systemMetadata }) => ({
      aspect: { value: bytesOfJson(value), contentType: 'application/json' },
      systemMetadata,
    })),
  };
}

async function collect(store: AspectStore, query: TimeseriesRequest): Promise<readonly TimeseriesValue[]> {
  const { urn, aspect, within, latestFirst, limit, filter } = query;
  const values: TimeseriesValue[] = [];
  let bytes = 0;
  let after: TimeseriesValue | undefined;
  for (;;) {
    const page = await store.readTimeseries({
      urn,
      aspectName: aspect.name,
      within,
      filter,
      latestFirst,
      after,
      limit: Math.min(PAGE, limit - values.length),
    });
    for (const timeseriesValue of page.timeseriesValues) {
      bytes += Buffer.byteLength(timeseriesValue.value);
      if (bytes > MAX_ANSWER_BYTES) throw tooLarge();
      values.push(timeseriesValue);
    }
    if (!page.hasMore || values.length >= limit) return values;
    after = page.timeseriesValues.at(-1);
  }
}

function tooLarge(): InvalidRequestError {
  return new InvalidRequestError(
    `The values asked for have more than ${String(MAX_ANSWER_BYTES)} bytes; ask for fewer by limit, startTimeMillis and endTimeMillis`,
  );
}
