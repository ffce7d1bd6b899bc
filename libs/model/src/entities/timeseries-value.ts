import type { SystemMetadata } from './system-metadata';

/** What tells a point from the others of its aspect: its moment, and a key for those of one moment. */
export interface TimeseriesIdentity {
  /** Epoch milliseconds. */
  readonly timestampMs: number;
  /** A digest of granularity, part and message id: equal for points that replace one another. */
  readonly valueKey: string;
}

/** One value of a timeseries aspect, at one moment. */
export interface TimeseriesValue extends TimeseriesIdentity {
  /** Of the change that wrote it. */
  readonly seq: number;
  /** Canonical JSON text. */
  readonly value: string;
  readonly systemMetadata: SystemMetadata;
}

/** A stretch of time, both ends included; without an end it has none. **Units**: epoch milliseconds. */
export interface TimeRange {
  readonly startMs?: number;
  readonly endMs?: number;
}

/** One text for a point of an entity, as a key of maps. */
export function timeseriesValueId(
  ref: TimeseriesIdentity & { readonly urn: string; readonly aspectName: string },
): string {
  return `${ref.urn}\n${ref.aspectName}\n${String(ref.timestampMs)}\n${ref.valueKey}`;
}

/** The range with these bounds; one that is not given is open. Milliseconds. */
export function timeRange(startMs: number | null | undefined, endMs: number | null | undefined): TimeRange {
  return {
    ...(startMs === undefined || startMs === null ? {} : { startMs }),
    ...(endMs === undefined || endMs === null ? {} : { endMs }),
  };
}

export function isWithin({ startMs = -Infinity, endMs = Infinity }: TimeRange, timeMs: number): boolean {
  return timeMs >= startMs && timeMs <= endMs;
}
