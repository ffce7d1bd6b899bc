import {
  InvalidRequestError,
  bytesOfJson,
  isJsonObject,
  parseJson,
  type JsonOutputObject,
  type TimeseriesValue,
  type TimeRange,
} from '@stratalog/model';
import type { AspectStore } from '@stratalog/ports';
import {
  entityNamed,
  entityTypeNamed,
  unknownAspect,
  type AspectType,
  type EntityRegistry,
} from '@stratalog/registry';
import type { TimeseriesFilter } from './timeseries-filter';
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
/** Most values that a filter inspects; timeseries fields have no index. */
const MAX_FILTERED = 100_000;

/**
 * Resolves the timeseries aspect of a query.
 *
 * **Errors**: `InvalidRequestError` for an unknown type, a urn that is malformed or of another type, an aspect
 * outside the type, and a versioned aspect.
 */
export function requireTimeseriesAspect(
  registry: EntityRegistry,
  { urn, entity, aspect: name }: { readonly urn: string; readonly entity: string; readonly aspect: string },
): Pick<TimeseriesRequest, 'urn' | 'aspect' | 'entityName'> {
  const entityType = entityTypeNamed(registry, entity);
  const named = entityNamed(registry, urn);
  if (named.entityType !== entityType) {
    throw new InvalidRequestError(
      `The urn ${urn} is of the entity type ${named.entityType.name}, not of ${entityType.name}`,
    );
  }
  const aspect = entityType.aspects.get(name);
  if (aspect === undefined) {
    throw new InvalidRequestError(unknownAspect(entityType, name));
  }
  if (aspect.kind !== 'timeseries') {
    throw new InvalidRequestError(
      `Aspect ${name} of entity ${entityType.name} is not a timeseries aspect; read it by GET /aspects or /entitiesV2`,
    );
  }
  return { urn, aspect, entityName: entityType.name };
}

/**
 * Reads the values of a timeseries aspect in a time range that pass a filter, at most `limit`.
 *
 * **Shape**: the contract's envelope; each value is the stored JSON text, in ASCII.
 *
 * **Errors**: `InvalidRequestError` when the answer would be too large, or the filter would inspect too many values.
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
  let [bytes, inspected] = [0, 0];
  let after: TimeseriesValue | undefined;
  for (;;) {
    const pageSize = filter === undefined ? Math.min(PAGE, limit - values.length) : PAGE;
    const page = await store.readTimeseries({
      urn,
      aspectName: aspect.name,
      within,
      latestFirst,
      after,
      limit: pageSize,
    });
    for (const timeseriesValue of page.timeseriesValues) {
      if (filter !== undefined && !passes(filter, urn, timeseriesValue)) continue;
      bytes += Buffer.byteLength(timeseriesValue.value);
      if (bytes > MAX_ANSWER_BYTES) throw tooLarge();
      values.push(timeseriesValue);
      if (values.length === limit) return values;
    }
    if (!page.hasMore) return values;
    inspected += page.timeseriesValues.length;
    if (inspected >= MAX_FILTERED && filter !== undefined) throw tooMany();
    after = page.timeseriesValues.at(-1);
  }
}

function passes(filter: TimeseriesFilter, urn: string, { value, systemMetadata }: TimeseriesValue): boolean {
  const members = parseJson(value);
  return isJsonObject(members) && filter({ urn, members, systemMetadata });
}

function tooLarge(): InvalidRequestError {
  return new InvalidRequestError(
    `The values asked for have more than ${String(MAX_ANSWER_BYTES)} bytes; ask for fewer by limit, startTimeMillis and endTimeMillis`,
  );
}

function tooMany(): InvalidRequestError {
  return new InvalidRequestError(
    `The filter would have to look at more than ${String(MAX_FILTERED)} values; narrow startTimeMillis and endTimeMillis`,
  );
}
