/**
 * A body of a call that writes no values, and a query in a tunnel. The largest that means something, a filter with 2,000 urns or a
 * read of 1,000 entities, has half of it; a larger one would only keep the process busy. **Units**: bytes.
 */
export const MAX_SMALL_BODY_BYTES = 1024 * 1024;

/** The query of a search. No person types so much, and no program that means words. **Units**: bytes of UTF-8. */
export const MAX_QUERY_TEXT_BYTES = 8 * 1024;

/** Parameters of one query, and elements of one list in it: ten times what any read takes. */
export const MAX_QUERY_PARTS = 10_000;

/** One parameter or element of a list, as it came: the longest urn, encoded twice. **Units**: characters. */
export const MAX_ELEMENT_LENGTH = 16 * 1024;

/** Entities or proposals in one call. Clients send 200 at once; all of them must fit one transaction. */
export const MAX_BATCH_ELEMENTS = 10_000;
