import type { JsonObject, JsonValue } from './json';
import type { ParsedJson } from './parse-in-steps';
import type { Steps } from './steps';

/** An object or list with more members is large. Every container around a large one counts as large too. */
const MANY = 256;
/**
 * Deepest level that the search descends to. Lists of thousands lie near the root; code walks deeper ones in one
 * step.
 */
const MAX_DEPTH = 5;

/** Collects the large objects and lists of a value that was built in memory instead of parsed. */
export function* largePartsIn(value: JsonValue): Steps<ParsedJson['large']> {
  const large = new Set<JsonValue>();
  if (typeof value === 'object' && value !== null) yield* mark(value, 0, large);
  return large;
}

function* mark(value: JsonObject | JsonValue[], depth: number, large: Set<JsonValue>): Steps<boolean> {
  const inner = Array.isArray(value) ? value : Object.values(value);
  let isLarge = inner.length > MANY;
  for (const each of inner) {
    if (typeof each !== 'object' || each === null || depth === MAX_DEPTH) continue;
    isLarge = (yield* mark(each, depth + 1, large)) || isLarge;
    yield;
  }
  if (isLarge) large.add(value);
  return isLarge;
}
