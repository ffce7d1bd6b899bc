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

/** Larger answers are rejected, because nothing in them could say that they were cut. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const PAGE = 1_000;
/** A filter looks at so many points; fields of points have no index yet. */
const MAX_FILTERED = 100_000;

/**
 * The timeseries aspect of an entity type that a question names.
 *
 * **Errors**: `InvalidRequestError` for a type that does not exist, an urn that is malformed or of another type, an aspect that the type does
 * not have, and one that has versions.
 */
export function timeseriesAspectNamed(
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
 * The points of an aspect within a stretch of time that pass a filter, at most `limit`.
 *
 * **Shape**: the contract's envelope; each value is JSON text as it is stored, in ASCII.
 *
 * **Errors**: `InvalidRequestError` when the answer would be too large, or the filter had to look at too many points.
 *
 * **Source**: contract, `POST /aspects?action=getTimeseriesAspectValues`; entity and aspect behaviour, section 4.2.
 */
export async function readTimeseries(
  { store }: Pick<ReadDeps, 'store'>,
  question: TimeseriesRequest,
): Promise<JsonOutputObject> {
  const { aspect, entityName, within, limit } = question;
  const timeseriesValues = await collect(store, question);
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

async function collect(store: AspectStore, question: TimeseriesRequest): Promise<readonly TimeseriesValue[]> {
  const { urn, aspect, within, latestFirst, limit, filter } = question;
  const found: TimeseriesValue[] = [];
  let [bytes, looked] = [0, 0];
  let after: TimeseriesValue | undefined;
  for (;;) {
    const pageSize = filter === undefined ? Math.min(PAGE, limit - found.length) : PAGE;
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
      found.push(timeseriesValue);
      if (found.length === limit) return found;
    }
    if (!page.hasMore) return found;
    looked += page.timeseriesValues.length;
    if (looked >= MAX_FILTERED && filter !== undefined) throw tooMany();
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
