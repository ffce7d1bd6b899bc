import { actFor } from '@stratalog/concurrency';

/** The time limit for one lookup about a caller, the wait for a connection included. */
const LOOKUP_LIMIT_MS = 5_000;

/** Bounds the time of a lookup that admits a call. Lookups do not wait behind searches. */
export function boundLookup<T>(read: () => Promise<T>): Promise<T> {
  const { signal: disconnected } = new AbortController();
  return actFor({ disconnected, timeLimitMs: LOOKUP_LIMIT_MS, writes: true }, read);
}
