import { isJsonObject, stringifyJson, type JsonObject, type JsonValue, type Steps } from '@stratalog/json';
import { dereferenced, type Schema } from '../schema/schema';
import { readElementKeys } from './element-keys';

/** One place at which two values of an aspect differ. */
export interface Difference {
  /**
   * JSON pointer (RFC 6901). An element of a keyed list is named by the parts of its key, as in the paths of patches:
   * `/owners/urn:li:corpuser:a/DATAOWNER`.
   */
  readonly path: string;
  /** `reordered`: a keyed list has the same elements in another order. */
  readonly kind: 'added' | 'removed' | 'changed' | 'reordered';
  readonly oldValue?: JsonValue;
  readonly newValue?: JsonValue;
}

/**
 * Compares two values of one schema and returns each difference at the deepest place that names it. A missing old
 * value gives one addition at the root, a missing new one gives one removal. Returns at most the first `limit`
 * differences.
 *
 * **Order and repeats**: in the order of members; removals before additions within a list.
 */
export function* compareValues(
  schema: Schema,
  oldValue: JsonValue | undefined,
  newValue: JsonValue | undefined,
  limit = Infinity,
): Steps<readonly Difference[]> {
  const differences: Difference[] = [];
  yield* compare({ schema, path: '', differences, limit }, oldValue, newValue);
  return differences;
}

interface Place {
  readonly schema: Schema | undefined;
  readonly path: string;
  readonly differences: Difference[];
  readonly limit: number;
}

function* compare(place: Place, before: JsonValue | undefined, after: JsonValue | undefined): Steps<void> {
  const { path, differences, limit } = place;
  if (differences.length >= limit || (before === undefined && after === undefined)) return;
  if (before === undefined) differences.push({ path, kind: 'added', newValue: after ?? null });
  else if (after === undefined) differences.push({ path, kind: 'removed', oldValue: before });
  else if (isJsonObject(before) && isJsonObject(after)) yield* compareObjects(place, before, after);
  else if (Array.isArray(before) && Array.isArray(after)) yield* compareLists(place, before, after);
  else if (!isSame(before, after))
    differences.push({ path, kind: 'changed', oldValue: before, newValue: after });
}

function* compareObjects(place: Place, before: JsonObject, after: JsonObject): Steps<void> {
  if (isOtherMember(place.schema, before, after)) {
    place.differences.push({ path: place.path, kind: 'changed', oldValue: before, newValue: after });
    return;
  }
  for (const name of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
    const inner = {
      ...place,
      schema: findMember(place.schema, name),
      path: `${place.path}/${escapeStep(name)}`,
    };
    yield* compare(inner, before[name], after[name]);
    yield;
  }
}

/** A union whose member changed is one change, not a removal and an addition. */
function isOtherMember(schema: Schema | undefined, before: JsonObject, after: JsonObject): boolean {
  if (schema === undefined || dereferenced(schema).kind !== 'union') return false;
  return Object.keys(before)[0] !== Object.keys(after)[0];
}

function findMember(schema: Schema | undefined, name: string): Schema | undefined {
  const type = schema === undefined ? undefined : dereferenced(schema);
  switch (type?.kind) {
    case 'record':
      return type.fields.find((field) => field.name === name)?.type;
    case 'map':
      return type.values;
    case 'union':
      return type.members.find(({ key }) => key === name)?.type;
    default:
      return undefined;
  }
}

function* compareLists(place: Place, before: readonly JsonValue[], after: readonly JsonValue[]): Steps<void> {
  const list = place.schema === undefined ? undefined : dereferenced(place.schema);
  const items = list?.kind === 'array' ? list.items : undefined;
  const oldKeys = yield* readElementKeys(items, before);
  const newKeys = yield* readElementKeys(items, after);
  if (oldKeys === undefined || newKeys === undefined) {
    for (let at = 0; at < Math.max(before.length, after.length); at++) {
      yield* compare({ ...place, schema: items, path: `${place.path}/${String(at)}` }, before[at], after[at]);
      yield;
    }
    return;
  }
  const oldByKey = new Map(oldKeys.map((key, at) => [key, before[at]]));
  yield;
  const newByKey = new Map(newKeys.map((key, at) => [key, after[at]]));
  yield;
  for (const key of new Set([...oldKeys, ...newKeys])) {
    const inner = { ...place, schema: items, path: `${place.path}/${key}` };
    yield* compare(inner, oldByKey.get(key), newByKey.get(key));
    yield;
  }
  const stayed = oldKeys.filter((key) => newByKey.has(key));
  const stayedNow = newKeys.filter((key) => oldByKey.has(key));
  if (stayed.some((key, at) => key !== stayedNow[at]))
    place.differences.push({ path: place.path, kind: 'reordered' });
}

/** Integers may be `number` or `bigint`, so values are compared as text. */
function isSame(before: JsonValue, after: JsonValue): boolean {
  return before === after || stringifyJson(before) === stringifyJson(after);
}

function escapeStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
