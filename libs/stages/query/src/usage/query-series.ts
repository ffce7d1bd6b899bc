import { InvalidRequestError, type TimeRange, type TimeseriesField } from '@stratalog/domain';
import type {
  TimeseriesFilter,
  TimeseriesGroup,
  TimeseriesStatisticsQuery,
  TimePeriods,
} from '@stratalog/ports';
import { TIMESTAMP, entityNamed, type EntityRegistry } from '@stratalog/registry';
import type { StatisticsDeps } from '../statistics/compute-statistics';
import { MAX_GROUPS } from '../statistics/max-groups';
import { requireTimeseriesAspect } from '../timeseries/require-timeseries-aspect';

/** Lengths of the periods that usage and operations are divided into. */
export const DURATIONS = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const;

export interface SeriesRequest {
  /** Urn of the entity. */
  readonly resource: string;
  readonly duration: (typeof DURATIONS)[number];
  readonly within: TimeRange;
  readonly timeZone: string;
}

/** The values of one aspect of one entity in a time range, for statistics of them. */
export type EntitySeries = Pick<TimeseriesStatisticsQuery, 'urnPrefix' | 'aspectName' | 'filter' | 'limit'>;

/**
 * Selects the values of a timeseries aspect of an entity, whatever its type.
 *
 * **Errors**: `InvalidRequestError` for a malformed urn, and one whose type does not have the aspect.
 */
export function selectSeries(
  registry: EntityRegistry,
  aspectName: string,
  { resource, within }: SeriesRequest,
): EntitySeries {
  const { entityType } = entityNamed(registry, resource);
  requireTimeseriesAspect(registry, { urn: resource, entity: entityType.name, aspect: aspectName });
  return { urnPrefix: resource, aspectName, filter: toFilter(resource, within), limit: MAX_GROUPS };
}

function toFilter(urn: string, { startMs, endMs }: TimeRange): TimeseriesFilter {
  const [low, high] = [startMs, endMs].map((value) =>
    value === undefined ? undefined : { value: BigInt(value), isIncluded: true },
  );
  const ofEntity = {
    field: { source: 'urn' as const, path: [], kind: 'text' as const },
    test: { kind: 'one-of' as const, values: [urn] },
    negated: false,
  };
  const inRange = { field: TIMESTAMP, test: { kind: 'range' as const, low, high }, negated: false };
  return [[ofEntity, inRange]];
}

export function toPeriods({ duration, timeZone }: SeriesRequest): TimePeriods {
  return { kind: 'time', unit: duration, multiple: 1, timeZone };
}

/** **Errors**: `InvalidRequestError` for more groups than one answer may have. */
export async function aggregateSeries(
  { statistics }: Pick<StatisticsDeps, 'statistics'>,
  query: TimeseriesStatisticsQuery,
): Promise<readonly TimeseriesGroup[]> {
  const { groups, isCut } = await statistics.aggregate(query);
  if (!isCut) return groups;
  throw tooManyParts();
}

export function tooManyParts(): InvalidRequestError {
  return new InvalidRequestError(
    `The answer would have more than ${String(MAX_GROUPS)} parts, or be too large; use a longer duration or a shorter range`,
  );
}

export function inValue(name: string, kind: TimeseriesField['kind']): TimeseriesField {
  return { source: 'value', path: [name], kind };
}

export function inElement(list: string, name: string, kind: TimeseriesField['kind']): TimeseriesField {
  return { source: 'element', path: [list, name], kind };
}
