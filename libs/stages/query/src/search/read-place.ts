import { InvalidRequestError } from '@stratalog/domain';
import { findChanged, parseScrollId, type ScrollId, type ScrollParameter } from './scroll-id';

interface Continued {
  /** Those of this call. */
  readonly parameters: readonly ScrollParameter[];
  readonly nowMs: number;
  /** Number of keys of a place of this call. */
  readonly length: number;
}

/**
 * Reads the place in a scroll id.
 *
 * **Errors**: `InvalidRequestError` for an id that is unknown, expired or of another query.
 */
export function readPlace(scrollId: string, { parameters, nowMs, length }: Continued): ScrollId['place'] {
  const read = parseScrollId(scrollId);
  if (read === undefined) throw rejected('is none that this catalog gave');
  if (read.digests.length !== parameters.length)
    throw rejected('belongs to another question: that of another call');
  const changed =
    findChanged(read.digests, parameters) ?? (read.place.keys.length === length ? undefined : 'sort');
  if (changed !== undefined)
    throw rejected(`belongs to another question: its first page had another '${changed}'`);
  if (read.expiresMs < nowMs) throw rejected('was kept for its keepAlive, and is too old now: begin again');
  return read.place;
}

function rejected(reason: string): InvalidRequestError {
  return new InvalidRequestError(`Parameter 'scrollId' ${reason}`);
}
