import { isJsonObject, type JsonValue } from './json';

/** Walks members of objects and elements of lists; `undefined` where the path leads nowhere. */
export function valueAt(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let found = value;
  for (const name of path) {
    if (Array.isArray(found)) found = found[Number(name)];
    else found = isJsonObject(found) ? found[name] : undefined;
  }
  return found;
}
