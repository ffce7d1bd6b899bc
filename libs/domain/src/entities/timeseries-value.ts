import type { SystemMetadata } from './system-metadata';

/** Identifies a timeseries value within its aspect: its timestamp, and a key among the values of one timestamp. */
export interface TimeseriesIdentity {
  /** Epoch milliseconds. */
  readonly timestampMs: number;
  /** Digest of granularity, partition spec and message id. A value replaces the stored value with an equal key. */
  readonly valueKey: string;
}

/** One value of a timeseries aspect at one timestamp. */
export interface TimeseriesValue extends TimeseriesIdentity {
  /** Sequence number of the change that wrote the value. */
  readonly seq: number;
  /** Canonical JSON text. */
  readonly value: string;
  readonly systemMetadata: SystemMetadata;
}

/** A time range that includes both ends. A missing bound leaves that side open. **Units**: epoch milliseconds. */
export interface TimeRange {
  readonly startMs?: number;
  readonly endMs?: number;
}

/** Formats the map key of one timeseries value of one entity. */
export function timeseriesValueId(
  ref: TimeseriesIdentity & { readonly urn: string; readonly aspectName: string },
): string {
  return `${ref.urn}\n${ref.aspectName}\n${String(ref.timestampMs)}\n${ref.valueKey}`;
}

/** Builds the range with these bounds; `undefined` and `null` leave a side open. **Units**: epoch milliseconds. */
export function timeRange(startMs: number | null | undefined, endMs: number | null | undefined): TimeRange {
  return {
    ...(startMs === undefined || startMs === null ? {} : { startMs }),
    ...(endMs === undefined || endMs === null ? {} : { endMs }),
  };
}

export function isWithin({ startMs = -Infinity, endMs = Infinity }: TimeRange, timeMs: number): boolean {
  return timeMs >= startMs && timeMs <= endMs;
}
