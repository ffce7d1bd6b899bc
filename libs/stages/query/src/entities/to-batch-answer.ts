import type { JsonOutputObject } from '@stratalog/json';

/** Builds the envelope of a batch get. `errors` is always empty, because one wrong key rejects the whole call. */
export function toBatchAnswer(results: readonly (readonly [string, JsonOutputObject])[]): JsonOutputObject {
  return { results: Object.fromEntries(results), statuses: {}, errors: {} };
}
