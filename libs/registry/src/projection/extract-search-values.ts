import {
  isJsonObject,
  stringifyJson,
  type FieldValue,
  type JsonValue,
  type ParsedJson,
  type SearchField,
  type Steps,
} from '@stratalog/model';
import type { AspectType } from '../model/entity-registry';
import type { Primitive } from '../schema/schema';
import { visitPlace } from '../annotations/place';
import { toPlainText } from './to-plain-text';
import type { SearchPath } from '../annotations/search-path';

/** The values of one search field. */
export interface SearchValues {
  readonly field: SearchField;
  readonly values: readonly FieldValue[];
}

/**
 * What an aspect's value gives to search: one entry for each search field that has a value, and one for each companion
 * that its annotations ask for (`hasX` false and `numX` 0 when there is nothing).
 *
 * **Shape**: the value is canonical; `writtenMs` says when it was written. A field that is absent has its default. Values keep their order and repeats; empty texts are no values. Entries of a map are
 * `key=value` texts. Two places that share a companion give it once: true when either has values, the larger count.
 */
export function* extractSearchValues(
  aspect: AspectType,
  parsed: ParsedJson,
  writtenMs?: number,
): Steps<readonly SearchValues[]> {
  const found: SearchValues[] = [];
  const present = new Map<string, { field: SearchField; value: boolean }>();
  const counts = new Map<string, { field: SearchField; value: number | bigint }>();
  for (const place of aspect.searchFields) {
    const values: FieldValue[] = [];
    yield* visitPlace(parsed, place.steps, (inner) => {
      addValues(inner, place, values);
    });
    yield;
    if (values.length > 0) found.push({ field: place.field, values });
    const { hasValues, numValues, modifiedAt } = place;
    if (modifiedAt !== undefined && values.length > 0 && writtenMs !== undefined) {
      found.push({ field: modifiedAt, values: [writtenMs] });
    }
    if (hasValues !== undefined) {
      const value = present.get(hasValues.name)?.value === true || holds(place, values);
      present.set(hasValues.name, { field: hasValues, value });
    }
    if (numValues !== undefined) {
      const known = counts.get(numValues.name)?.value ?? 0;
      const count = countOf(place, values);
      counts.set(numValues.name, { field: numValues, value: known > count ? known : count });
    }
  }
  for (const { field, value: companion } of [...present.values(), ...counts.values()]) {
    found.push({ field, values: [companion] });
  }
  return found;
}

function addValues(value: JsonValue, { field, isRichText }: SearchPath, values: FieldValue[]): void {
  if (!isJsonObject(value)) {
    const plain = isRichText && typeof value === 'string' ? toPlainText(value) : value;
    const scalar = scalarOf(plain, field);
    if (scalar !== undefined) values.push(scalar);
    return;
  }
  for (const [key, entry] of Object.entries(value)) {
    // Under MAP_ARRAY a key stands before each element of its list.
    for (const element of Array.isArray(entry) ? entry : [entry]) values.push(`${key}=${toText(element)}`);
  }
}

/** The value in the form that the field's type is filtered and sorted by; `undefined` when it has none. */
function scalarOf(value: JsonValue, { type }: SearchField): FieldValue | undefined {
  switch (type) {
    case 'COUNT':
    case 'DATETIME':
    case 'DOUBLE':
      return numberOf(value);
    case 'BOOLEAN':
      if (value === 'true' || value === 'false') return value === 'true';
      return typeof value === 'boolean' ? value : undefined;
    case 'BROWSE_PATH': {
      const path = toText(value);
      return path === '' || path.startsWith('/') ? path || undefined : `/${path}`;
    }
    default:
      return toText(value) || undefined;
  }
}

function numberOf(value: JsonValue): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : undefined;
}

function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

/** A flag outside a list says itself whether it holds; everything else does when there is a value. */
function holds(place: SearchPath, values: readonly FieldValue[]): boolean {
  if (isSingle(place, ['boolean'])) return values[0] === true || values[0] === 'true';
  return values.length > 0;
}

/** An integer outside a list is its own count; everything else is counted. */
function countOf(place: SearchPath, values: readonly FieldValue[]): number | bigint {
  const [first] = values;
  const isCount =
    isSingle(place, ['int', 'long']) && (typeof first === 'number' || typeof first === 'bigint');
  return isCount ? first : values.length;
}

function isSingle({ path, type }: SearchPath, names: readonly Primitive[]): boolean {
  return type.kind === 'primitive' && names.includes(type.name) && !path.includes('*');
}
