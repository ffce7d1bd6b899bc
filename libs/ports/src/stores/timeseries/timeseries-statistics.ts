import type { TimeseriesField } from '@stratalog/domain';
import type { TimeseriesFilter } from './timeseries-filter';
import type { TimeseriesSeries } from './timeseries-storage';

export const TIME_UNITS = ['SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR'] as const;
export type TimeUnit = (typeof TIME_UNITS)[number];

interface GroupOrder {
  /** True: the greatest key first. */
  readonly isDescending?: boolean | undefined;
}

/**
 * Groups by periods of `multiple` units. Periods are counted from the first one that begins in or before 1970; weeks
 * begin on Mondays.
 */
export interface TimePeriods extends GroupOrder {
  readonly kind: 'time';
  readonly unit: TimeUnit;
  readonly multiple: number;
  /** IANA name of the time zone in which days, and longer periods, begin; one that `knowsTimeZone` knows. */
  readonly timeZone: string;
}

/** Groups by the values of a field. Values without the field belong to no group. */
export interface ValueGroups extends GroupOrder {
  readonly kind: 'value';
  readonly field: TimeseriesField;
}

/**
 * One number of each group. `latest` is the field of the newest value that has it: of equal times, of the greatest urn,
 * then of the greatest text. `count` counts values, `cardinality` distinct
 * ones exactly.
 */
export interface TimeseriesMetric {
  readonly field: TimeseriesField;
  readonly aggregation: 'latest' | 'sum' | 'count' | 'cardinality';
}

export interface TopGroups {
  readonly size: number;
  /** True: ordered by the first metric, then by the key; groups without that number come last. */
  readonly byMetric: boolean;
  readonly isDescending: boolean;
}

export interface TimeseriesStatisticsQuery extends TimeseriesSeries {
  readonly filter?: TimeseriesFilter | undefined;
  /** Fields of elements come from one list, when a group is by an element; then every metric of a value's own stays out. */
  readonly metrics: readonly TimeseriesMetric[];
  readonly groups: readonly (TimePeriods | ValueGroups)[];
  /** Within equal keys of the groups before the last: keeps the first groups of the last one, and orders by them. */
  readonly top?: TopGroups | undefined;
  /** Most groups of the answer. */
  readonly limit: number;
}

export interface TimeseriesGroup {
  /** Texts of the group, one for each of `groups`; a period is its start in epoch ms. */
  readonly keys: readonly string[];
  /** Texts of the metrics; `undefined` when no value of the group has the field. */
  readonly values: readonly (string | undefined)[];
}

export interface TimeseriesStatisticsResult {
  /** Ordered by the keys unless `top` says otherwise: numbers by value, texts by code point. One row without `groups`. */
  readonly groups: readonly TimeseriesGroup[];
  /** True when there are more groups, or their texts would be too large for one answer. */
  readonly isCut: boolean;
}

/** Computes statistics of stored timeseries values, over all entities of a type. */
export interface TimeseriesStatistics {
  /** Each call sees the values of one instant. */
  aggregate(query: TimeseriesStatisticsQuery): Promise<TimeseriesStatisticsResult>;

  /** True when periods may begin in a time zone of this name, in any case of letters. Time zones come and go with the store's version. */
  knowsTimeZone(name: string): Promise<boolean>;
}
