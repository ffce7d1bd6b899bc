import leven from 'leven';

/**
 * Longest name to compare. No known name is longer, and a comparison with a longer text costs time. **Units**: UTF-16
 * code units.
 */
const MAX_NAME_LENGTH = 100;
/** Most edits between a misspelt name and a suggestion; a third of the name's length limits them further. */
const MAX_DISTANCE = 3;

/**
 * Finds the known name with the fewest edits from `given`, ignoring case. The first of several equally near names
 * wins.
 *
 * **Shape**: `undefined` when every name needs more edits than a third of its length, or more than three.
 *
 * **Errors**: none. A text over 100 code units has no near name, which bounds the cost.
 */
export function nearestName(given: string, known: Iterable<string>): string | undefined {
  if (given.length > MAX_NAME_LENGTH) return undefined;
  const wanted = given.toLowerCase();
  let limit = Math.min(MAX_DISTANCE, Math.max(1, Math.floor(given.length / 3))) + 1;
  // A one-character name shares nothing with a different one-character name.
  limit = Math.min(limit, given.length);
  let nearest: string | undefined;
  for (const name of known) {
    if (limit === 0) break;
    const distance = editDistance(wanted, name.toLowerCase(), limit);
    if (distance >= limit) continue;
    nearest = name;
    limit = distance;
  }
  return nearest;
}

/**
 * Computes the number of edits between two texts, at most `limit`. A swap of two neighbouring letters, the most frequent
 * slip, is one edit when it is the only one.
 */
export function editDistance(one: string, other: string, limit: number): number {
  return areSwapped(one, other) ? 1 : leven(one, other, { maxDistance: limit });
}

function areSwapped(one: string, other: string): boolean {
  if (one.length !== other.length || one === other) return false;
  let at = 0;
  while (one[at] === other[at]) at++;
  return one[at] === other[at + 1] && one[at + 1] === other[at] && one.slice(at + 2) === other.slice(at + 2);
}

/** Formats the end of a rejection message: `; did you mean <name>?`, or an empty text when no known name is near. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const name = nearestName(given, known);
  return name === undefined ? '' : `; did you mean ${name}?`;
}
