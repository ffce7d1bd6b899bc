import type { TimeRange } from './point';
import type { ProposalHeaders } from './preconditions';

/** The headers of a proposal, or of a change, that bound the points which a deletion is about. */
const START = 'Start-Time-Millis';
const END = 'End-Time-Millis';
export const POINT_RANGE_HEADERS: readonly string[] = [START, END];
const CANONICAL_NAMES = new Map(POINT_RANGE_HEADERS.map((name) => [name.toLowerCase(), name]));

export type PointRangeResult =
  | { readonly range: TimeRange | undefined }
  /** The header that says something else than it may. */
  | { readonly header: string; readonly fault: string };

/** The name of a header that bounds points, however its letters are written; `undefined` for any other. */
export function pointRangeHeaderOf(name: string): string | undefined {
  return CANONICAL_NAMES.get(name.toLowerCase());
}

/** What says in text which points a deletion is about: nothing for all of them. */
export function pointRangeHeaders({ startMs, endMs }: TimeRange): ProposalHeaders {
  return {
    ...(startMs === undefined ? {} : { [START]: String(startMs) }),
    ...(endMs === undefined ? {} : { [END]: String(endMs) }),
  };
}

/** Reads what {@link pointRangeHeaders} writes; without either header there is no range. */
export function pointRangeIn(headers: ProposalHeaders): PointRangeResult {
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
