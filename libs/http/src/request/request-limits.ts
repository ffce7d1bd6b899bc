/**
 * The limit for the body of a call that writes no values, and for a query in a tunnel. The largest meaningful
 * one, a filter with 2,000 urns or a read of 1,000 entities, takes half of it. A larger one would only keep
 * the process busy. **Units**: bytes.
 */
const MAX_SMALL_BODY_BYTES = 1024 * 1024;

/** Only calls that write values have a use for large bodies. */
export function computeBodyLimit(takesLargeBody: boolean | undefined, maxBodyBytes: number): number {
  return takesLargeBody === true ? maxBodyBytes : Math.min(maxBodyBytes, MAX_SMALL_BODY_BYTES);
}

/**
 * The limit for the query text of a search. No person types so much, and no sensible program sends it.
 * **Units**: bytes of UTF-8.
 */
export const MAX_QUERY_TEXT_BYTES = 8 * 1024;

/**
 * The limit for parameters of one query, and for elements of one list in it: ten times the maximum of any
 * read.
 */
export const MAX_QUERY_PARTS = 10_000;

/**
 * The limit for one parameter or list element, still encoded: the urn of a column with the longest path that has lineage, in letters
 * that few characters encode. **Units**: characters.
 */
export const MAX_ELEMENT_LENGTH = 128 * 1024;

/**
 * The limit for entities or proposals in one call. Clients send 200 at once; all of them must fit one
 * transaction.
 */
export const MAX_BATCH_ELEMENTS = 10_000;
