import { isJsonObject, stringifyJson, type JsonObject, type JsonValue, type Steps } from '@stratalog/model';
import { dereferenced, type Schema } from '../schema/schema';
import { readElementKeys } from './element-keys';

/** One place at which two values of an aspect differ. */
export interface Difference {
  /**
   * JSON pointer (RFC 6901). An element of a list whose elements have keys is named by its key, its parts one after the other, as the
   * paths of patches name it: `/owners/urn:li:corpuser:a/DATAOWNER`.
   */
  readonly path: string;
  /** `reordered`: a list with keys has the same elements in another order. */
  readonly kind: 'added' | 'removed' | 'changed' | 'reordered';
  readonly oldValue?: JsonValue;
  readonly newValue?: JsonValue;
}

/**
 * Where two values of one schema differ, each difference at the deepest place that names it. Without an old value everything is one
 * addition at the root, without a new one it is one removal. At most `limit` of them, the first.
 *
 * **Order and repeats**: places in the order of their members; removals before additions within a list.
 */
export function* compareValues(
  schema: Schema,
  oldValue: JsonValue | undefined,
  newValue: JsonValue | undefined,
  limit = Infinity,
): Steps<readonly Difference[]> {
  const found: Difference[] = [];
  yield* compare({ schema, path: '', found, limit }, oldValue, newValue);
  return found;
}

interface Place {
  readonly schema: Schema | undefined;
  readonly path: string;
  readonly found: Difference[];
  readonly limit: number;
}

function* compare(place: Place, before: JsonValue | undefined, after: JsonValue | undefined): Steps<void> {
  const { path, found, limit } = place;
  if (found.length >= limit || (before === undefined && after === undefined)) return;
  if (before === undefined) found.push({ path, kind: 'added', newValue: after ?? null });
  else if (after === undefined) found.push({ path, kind: 'removed', oldValue: before });
  else if (isJsonObject(before) && isJsonObject(after)) yield* compareObjects(place, before, after);
  else if (Array.isArray(before) && Array.isArray(after)) yield* compareLists(place, before, after);
  else if (!isSame(before, after)) found.push({ path, kind: 'changed', oldValue: before, newValue: after });
}

function* compareObjects(place: Place, before: JsonObject, after: JsonObject): Steps<void> {
  if (isOtherMember(place.schema, before, after)) {
    place.found.push({ path: place.path, kind: 'changed', oldValue: before, newValue: after });
    return;
  }
  for (const name of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
    const inner = { ...place, schema: memberOf(place.schema, name), path: `${place.path}/${escaped(name)}` };
    yield* compare(inner, before[name], after[name]);
    yield;
  }
}

/** The value of a union became one of another type: that is one change, not a removal and an addition. */
function isOtherMember(schema: Schema | undefined, before: JsonObject, after: JsonObject): boolean {
  if (schema === undefined || dereferenced(schema).kind !== 'union') return false;
  return Object.keys(before)[0] !== Object.keys(after)[0];
}

function memberOf(schema: Schema | undefined, name: string): Schema | undefined {
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
    place.found.push({ path: place.path, kind: 'reordered' });
}

/** Numbers may be of either kind, so values are compared as text. */
function isSame(before: JsonValue, after: JsonValue): boolean {
  return before === after || stringifyJson(before) === stringifyJson(after);
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
