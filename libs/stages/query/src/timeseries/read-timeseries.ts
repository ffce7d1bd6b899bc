import { InvalidRequestError, type TimeRange } from '@stratalog/domain';
import { RawJson, bytesOfJson, type JsonOutputObject } from '@stratalog/json';
import type { AspectStore, ReadTimeseriesValue, TimeseriesFilter, TimeseriesSort } from '@stratalog/ports';
import type { AspectType } from '@stratalog/registry';
import type { ReadDeps } from '../entities/view-entities';

export const MAX_TIMESERIES_VALUES = 10_000;

export interface TimeseriesRequest {
  readonly urn: string;
  readonly aspect: AspectType;
  readonly entityName: string;
  readonly within: TimeRange;
  readonly latestFirst: boolean;
  readonly sort: TimeseriesSort | undefined;
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
  const timeseriesValues = await collectTimeseries(store, query);
  return {
    entityName,
    aspectName: aspect.name,
    startTimeMillis: within.startMs,
    endTimeMillis: within.endMs,
    limit,
    values: new RawJson(`[${timeseriesValues.map(toEnvelope).join(',')}]`),
  };
}

/** Writes a value as text, because objects for thousands of values cost twice as much as the text itself. */
function toEnvelope({ value, systemMetadata }: ReadTimeseriesValue): string {
  const text = JSON.stringify(bytesOfJson(value));
  return `{"aspect":{"value":${text},"contentType":"application/json"},"systemMetadata":${systemMetadata}}`;
}

/** Reads the values page by page. **Errors**: those of {@link readTimeseries}. */
export async function collectTimeseries(
  store: AspectStore,
  query: Omit<TimeseriesRequest, 'aspect' | 'entityName'> & { readonly aspect: Pick<AspectType, 'name'> },
): Promise<readonly ReadTimeseriesValue[]> {
  const { urn, aspect, within, latestFirst, sort, limit, filter } = query;
  const values: ReadTimeseriesValue[] = [];
  let bytes = 0;
  let after: ReadTimeseriesValue | undefined;
  for (;;) {
    const page = await store.readTimeseries({
      urn,
      aspectName: aspect.name,
      within,
      filter,
      latestFirst,
      sort,
      after,
      limit: sort === undefined ? Math.min(PAGE, limit - values.length) : limit,
    });
    for (const timeseriesValue of page.timeseriesValues) {
      bytes += Buffer.byteLength(timeseriesValue.value);
      if (bytes > MAX_ANSWER_BYTES) throw tooLarge();
      values.push(timeseriesValue);
    }
    if (!page.hasMore || values.length >= limit) return values;
    // A sorted read has one page, which only its size cuts.
    if (sort !== undefined) throw tooLarge();
    after = page.timeseriesValues.at(-1);
  }
}

function tooLarge(): InvalidRequestError {
  return new InvalidRequestError(
    `The values asked for have more than ${String(MAX_ANSWER_BYTES)} bytes; ask for fewer by limit, startTimeMillis and endTimeMillis`,
  );
}
