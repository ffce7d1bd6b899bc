import leven from 'leven';

/** No name of ours is longer; a longer text is not a misspelt one, and comparing it would cost. **Units**: UTF-16 code units. */
const MAX_NAME_LENGTH = 100;
/** A third of a name may be wrong, and never more than this. */
const MAX_DISTANCE = 3;

/**
 * The known name that a misspelt one most likely means: the one that the fewest edits lead to, ignoring case; of equals the first.
 *
 * **Shape**: `undefined` when none is near: more than a third of the name, or more than three characters, would have to change.
 *
 * **Errors**: none. Cost is bounded for any text: longer ones are near nothing.
 */
export function nearestName(given: string, known: Iterable<string>): string | undefined {
  if (given.length > MAX_NAME_LENGTH) return undefined;
  const wanted = given.toLowerCase();
  let limit = Math.min(MAX_DISTANCE, Math.max(1, Math.floor(given.length / 3))) + 1;
  // A name of one character has nothing in common with another one.
  limit = Math.min(limit, given.length);
  let nearest: string | undefined;
  for (const name of known) {
    if (limit === 0) break;
    const distance = distanceOf(wanted, name.toLowerCase(), limit);
    if (distance >= limit) continue;
    nearest = name;
    limit = distance;
  }
  return nearest;
}

/** At most `limit`. Two letters that changed places, the commonest slip, count as one edit. */
function distanceOf(one: string, other: string, limit: number): number {
  return areSwapped(one, other) ? 1 : leven(one, other, { maxDistance: limit });
}

function areSwapped(one: string, other: string): boolean {
  if (one.length !== other.length || one === other) return false;
  let at = 0;
  while (one[at] === other[at]) at++;
  return one[at] === other[at + 1] && one[at + 1] === other[at] && one.slice(at + 2) === other.slice(at + 2);
}

/** The end of a rejection of a name: `; did you mean <name>?`, or nothing when no known name is near. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const name = nearestName(given, known);
  return name === undefined ? '' : `; did you mean ${name}?`;
}
