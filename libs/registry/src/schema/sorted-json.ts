import { isJsonObject, type JsonOutput, type JsonValue } from '@stratalog/json';

/**
 * Returns equal results for JSON values that differ only in the order of members: objects become lists of name and
 * value, sorted by name.
 */
export function sortedJson(value: JsonValue): JsonOutput {
  if (Array.isArray(value)) return value.map(sortedJson);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return names.map((name): JsonOutput => [name, sortedJson(value[name] ?? null)]);
}
