import type { JsonOutputObject } from '@stratalog/model';

/** The envelope of a batch get. One wrong key rejects the whole call, so that it names no errors of single ones. */
export function parseBatch(results: readonly (readonly [string, JsonOutputObject])[]): JsonOutputObject {
  return { results: Object.fromEntries(results), statuses: {}, errors: {} };
}
