import { BROWSE_SEPARATORS, type FieldValue, type SearchField } from '@stratalog/domain';
import { isJsonObject, stringifyJson, type JsonValue, type ParsedJson, type Steps } from '@stratalog/json';
import type { AspectType } from '../model/entity-registry';
import type { Primitive } from '../schema/schema';
import { visitPlace, visitSmallPlace } from '../annotations/place';
import { toPlainText } from './to-plain-text';
import type { SearchPath } from '../annotations/search-path';

/** The values of one search field. */
export interface SearchValues {
  readonly field: SearchField;
  readonly values: readonly FieldValue[];
}

/**
 * Extracts the search values of an aspect: one entry for each search field with a value, and one for each companion
 * field (`hasX` false and `numX` 0 without a value).
 *
 * **Shape**: `parsed` is a canonical value; `writtenMs` is its time of writing. An absent field has its default.
 * Values keep their order and repeats; empty texts are no values. Entries of a map are `key=value` texts. Two places
 * with one companion share one entry: true when either has values, the larger count.
 */
export function* extractSearchValues(
  aspect: AspectType,
  parsed: ParsedJson,
  writtenMs?: number,
): Steps<readonly SearchValues[]> {
  const entries: SearchValues[] = [];
  const present = new Map<string, { field: SearchField; value: boolean }>();
  const counts = new Map<string, { field: SearchField; value: number | bigint }>();
  const isLarge = parsed.large.has(parsed.value);
  for (const place of aspect.searchFields) {
    const values: FieldValue[] = [];
    const add = (inner: JsonValue): void => {
      addValues(inner, place, values);
    };
    if (isLarge) {
      yield* visitPlace(parsed, place.steps, add);
      yield;
    } else visitSmallPlace(parsed.value, place.steps, add);
    if (values.length > 0) entries.push({ field: place.field, values: joinSteps(place.field, values) });
    const { hasValues, numValues, modifiedAt } = place;
    if (modifiedAt !== undefined && values.length > 0 && writtenMs !== undefined) {
      entries.push({ field: modifiedAt, values: [writtenMs] });
    }
    if (hasValues !== undefined) {
      const value = present.get(hasValues.name)?.value === true || hasValue(place, values);
      present.set(hasValues.name, { field: hasValues, value });
    }
    if (numValues !== undefined) {
      const known = counts.get(numValues.name)?.value ?? 0;
      const count = countValues(place, values);
      counts.set(numValues.name, { field: numValues, value: known > count ? known : count });
    }
  }
  for (const { field, value: companion } of [...present.values(), ...counts.values()]) {
    entries.push({ field, values: [companion] });
  }
  return entries;
}

/** The steps of a path are one value, each after a separator. */
function joinSteps({ type }: SearchField, values: readonly FieldValue[]): readonly FieldValue[] {
  if (type !== 'BROWSE_PATH_V2') return values;
  const separator = BROWSE_SEPARATORS.get(type) ?? '';
  return [values.map((step) => separator + String(step).replaceAll(separator, '')).join('')];
}

function addValues(value: JsonValue, { field, isRichText }: SearchPath, values: FieldValue[]): void {
  if (!isJsonObject(value)) {
    const plain = isRichText && typeof value === 'string' ? toPlainText(value) : value;
    const scalar = toScalar(plain, field);
    if (scalar !== undefined) values.push(scalar);
    return;
  }
  for (const [key, entry] of Object.entries(value)) {
    // MAP_ARRAY repeats the key for each element of its list.
    for (const element of Array.isArray(entry) ? entry : [entry]) values.push(`${key}=${toText(element)}`);
  }
}

/** Converts a value to the form in which the field's type filters and sorts; `undefined` when it has none. */
function toScalar(value: JsonValue, { type }: SearchField): FieldValue | undefined {
  switch (type) {
    case 'COUNT':
    case 'DATETIME':
    case 'DOUBLE':
      return toNumber(value);
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

function toNumber(value: JsonValue): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : undefined;
}

function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

/** A flag outside a list is its own result; any other place holds when it has a value. */
function hasValue(place: SearchPath, values: readonly FieldValue[]): boolean {
  if (isSingle(place, ['boolean'])) return values[0] === true || values[0] === 'true';
  return values.length > 0;
}

/** An integer outside a list is its own count; any other place counts its values. */
function countValues(place: SearchPath, values: readonly FieldValue[]): number | bigint {
  const [first] = values;
  const isCount =
    isSingle(place, ['int', 'long']) && (typeof first === 'number' || typeof first === 'bigint');
  return isCount ? first : values.length;
}

function isSingle({ path, type }: SearchPath, names: readonly Primitive[]): boolean {
  return type.kind === 'primitive' && names.includes(type.name) && !path.includes('*');
}
