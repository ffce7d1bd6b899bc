import { isJsonObject, stringifyJson, type JsonValue, type Steps } from '@stratalog/json';
import { dereferenced, type Schema } from '../schema/schema';
import { ARRAY_KEYS } from './array-keys';

/**
 * Reads the key of each element of a list for a JSON pointer: the key of a record, or a plain value itself.
 * `undefined` when elements have no keys or two have the same key; indices then name them.
 */
export function* readElementKeys(
  items: Schema | undefined,
  elements: readonly JsonValue[],
): Steps<readonly string[] | undefined> {
  const type = items === undefined ? undefined : dereferenced(items);
  const fields =
    type?.kind === 'record' ? ARRAY_KEYS.get(type.name.slice(type.name.lastIndexOf('.') + 1)) : [];
  if (type === undefined || fields === undefined) return undefined;
  const keys = new Set<string>();
  for (const element of elements) {
    const key = readKey(fields, element);
    if (key === undefined || keys.has(key)) return undefined;
    keys.add(key);
    yield;
  }
  return [...keys];
}

function readKey(fields: readonly string[], element: JsonValue): string | undefined {
  if (fields.length === 0) return formatPart(element);
  if (!isJsonObject(element)) return undefined;
  const parts = fields.map((field) => formatPart(element[field] ?? null));
  return parts.every((part) => part !== undefined) ? parts.join('/') : undefined;
}

function formatPart(value: JsonValue): string | undefined {
  if (value === null || typeof value === 'object') return undefined;
  const text = typeof value === 'string' ? value : stringifyJson(value);
  return text.replaceAll('~', '~0').replaceAll('/', '~1');
}
