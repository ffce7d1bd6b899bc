import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/json';

/** The objects in a list of an aspect; none when there is no list. */
export function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((each) => isJsonObject(each)) : [];
}
