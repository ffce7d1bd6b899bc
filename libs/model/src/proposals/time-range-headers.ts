import type { TimeRange } from '../entities/timeseries-value';
import type { ProposalHeaders } from './preconditions';

/** The headers of a proposal, or of a change, that bound the points which a deletion is about. */
const START = 'Start-Time-Millis';
const END = 'End-Time-Millis';
export const TIME_RANGE_HEADERS: readonly string[] = [START, END];
const CANONICAL_NAMES = new Map(TIME_RANGE_HEADERS.map((name) => [name.toLowerCase(), name]));

export type TimeRangeResult =
  | { readonly range: TimeRange | undefined }
  /** The header that says something else than it may. */
  | { readonly header: string; readonly fault: string };

/** The name of a header that bounds points, however its letters are written; `undefined` for any other. */
export function canonicalTimeRangeHeader(name: string): string | undefined {
  return CANONICAL_NAMES.get(name.toLowerCase());
}

/** What says in text which points a deletion is about: nothing for all of them. */
export function formatTimeRangeHeaders({ startMs, endMs }: TimeRange): ProposalHeaders {
  return {
    ...(startMs === undefined ? {} : { [START]: String(startMs) }),
    ...(endMs === undefined ? {} : { [END]: String(endMs) }),
  };
}

/** Reads what {@link formatTimeRangeHeaders} writes; without either header there is no range. */
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
