import type { JsonObject, JsonValue } from './json';
import type { ParsedJson } from './parse-in-steps';
import type { Steps } from './steps';

/** An object or list with more than these is large, and what it lies in is walked in steps too. */
const MANY = 256;
/** Lists of thousands lie near the root of a value. What is large deeper inside is walked at once. */
const MAX_DEPTH = 5;

/** The large objects and lists of a value that did not come from a parser. */
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
