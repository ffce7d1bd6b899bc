import type { TimeRange } from '../entities/timeseries-value';
import type { ProposalHeaders } from './preconditions';

/** Headers of a proposal or change that bound a deletion of timeseries values. */
const START = 'Start-Time-Millis';
const END = 'End-Time-Millis';
export const TIME_RANGE_HEADERS: readonly string[] = [START, END];
const CANONICAL_NAMES = new Map(TIME_RANGE_HEADERS.map((name) => [name.toLowerCase(), name]));

export type TimeRangeResult =
  | { readonly range: TimeRange | undefined }
  /** The header with an invalid value. */
  | { readonly header: string; readonly fault: string };

/** Returns the canonical name of a time-range header, ignoring case; `undefined` for any other header. */
export function canonicalTimeRangeHeader(name: string): string | undefined {
  return CANONICAL_NAMES.get(name.toLowerCase());
}

/** Formats a time range as headers; an open range has none. */
export function formatTimeRangeHeaders({ startMs, endMs }: TimeRange): ProposalHeaders {
  return {
    ...(startMs === undefined ? {} : { [START]: String(startMs) }),
    ...(endMs === undefined ? {} : { [END]: String(endMs) }),
  };
}

/** Parses the headers of {@link formatTimeRangeHeaders}; without either header the range is `undefined`. */
export function parseTimeRangeHeaders(headers: ProposalHeaders): TimeRangeResult {
  const bounds: { startMs?: number; endMs?: number } = {};
  for (const [header, name] of [
    [START, 'startMs'],
    [END, 'endMs'],
  ] as const) {
    const text = headers[header];
    if (text === undefined) continue;
    if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(Number(text))) {
      return { header, fault: `"${text.slice(0, 100)}" is not a time in epoch milliseconds` };
    }
    bounds[name] = Number(text);
  }
  return { range: Object.keys(bounds).length === 0 ? undefined : bounds };
}
