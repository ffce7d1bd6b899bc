import { didYouMean } from '@stratalog/domain';
import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/json';
import type { FaultPlace } from '../fault-place';
import { show } from '../show';

/** A member for people, without an effect, which every object of a definition may have. */
const DESCRIPTION = 'description';

/** Reads a place as an object, and notes a fault when it is none. */
export function readObject(sent: JsonValue | undefined, place: FaultPlace): JsonObject | undefined {
  if (isJsonObject(sent)) return sent;
  place.fault(sent === undefined ? 'is missing' : 'is no object');
}

/** Reports members that the language does not have. */
export function rejectUnknown(sent: JsonObject, known: readonly string[], place: FaultPlace): void {
  for (const name of Object.keys(sent)) {
    if (name === DESCRIPTION || known.includes(name)) continue;
    place.at(show(name)).fault(`is unknown${didYouMean(name, known)}`);
  }
}

/** Returns the one of several names that an object has; two of them are a fault. */
export function findMember(
  sent: JsonObject,
  names: readonly string[],
  place: FaultPlace,
): string | undefined {
  const [first, second] = names.filter((name) => Object.hasOwn(sent, name));
  if (second !== undefined)
    place.at(second).fault(`means the same as ${String(first)}; one of them is enough`);
  return first;
}
