import type { JsonObject } from '@stratalog/json';

/** Drops the members that are `null`, which count as absent. */
export function withoutNulls(sent: JsonObject): JsonObject {
  if (!Object.values(sent).includes(null)) return sent;
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
}
