import { isJsonObject, type JsonValue, type Steps } from '@stratalog/model';
import type { PatchOperation } from './patch-document';
import { KeyedArray, isTreeObject, plainOf, type PatchTree, type TreeObject } from './patch-tree';

/** Between the parts of a key that lies inside a member of the element. */
export const UNIT_SEPARATOR = '\u241f';
/** Before the number of a further element with the same key; no path that is written down has it. */
const SAME_KEY = '\u0000';
/** Stands in a path for every key of the array before it. */
export const EACH = '*';

/** An array whose elements a patch addresses by what they are instead of by their place. */
export interface KeyedField {
  /** Where the array is: names of members, and {@link EACH} for any element of a keyed array on the way. */
  readonly path: readonly string[];
  /** Members that make the key, one level of the path each; none: the elements are texts and their own keys. */
  readonly keys: readonly string[];
}

/** Fields that a pointer leads into. Others stay arrays, so that a patch changes nothing that it does not mention. */
export function addressedBy<Field extends Pick<KeyedField, 'path'>>(
  operations: readonly PatchOperation[],
  fields: readonly Field[],
): readonly Field[] {
  const pointers = operations.flatMap((each) => ('from' in each ? [each.path, each.from] : [each.path]));
  return fields.filter((field) => pointers.some((pointer) => leadsInto(pointer, field.path)));
}

/** A key on the way is one step, whatever it is. */
function leadsInto(pointer: readonly string[], path: readonly string[]): boolean {
  return pointer.length > path.length && path.every((step, at) => step === EACH || step === pointer[at]);
}

/** Turns arrays into keyed ones, outer ones first; what is not there is passed over. The tree is changed in place. */
export function* keyArrays(tree: PatchTree, fields: readonly KeyedField[]): Steps<void> {
  for (const { path, keys } of fields) {
    yield* replaceAt(tree, path, function* (field) {
      return Array.isArray(field) ? yield* keyedOf(field, keys) : field;
    });
  }
}

/** Where a patch has begun a keyed array itself it is an object so far: this makes arrays of these, inner ones first. */
export function* gatherArrays(tree: PatchTree, fields: readonly KeyedField[]): Steps<void> {
  for (const { path, keys } of fields.toReversed()) {
    yield* replaceAt(tree, path, function* (field) {
      return isTreeObject(field) ? yield* levelElements(Object.entries(field), keys, {}) : field;
    });
  }
}

/** Replaces what is at a path, or at each of the places that it leads to. */
export function* replaceAt(
  tree: PatchTree,
  path: readonly string[],
  replaced: (tree: PatchTree) => Steps<PatchTree>,
): Steps<void> {
  const [step, ...rest] = path;
  if (step === undefined) return;
  const names = step === EACH ? namesIn(tree) : [step];
  for (const name of names) {
    yield;
    const inner = memberOf(tree, name);
    if (inner === undefined) continue;
    if (rest.length > 0) yield* replaceAt(inner, rest, replaced);
    else if (tree instanceof KeyedArray) tree.set(name, yield* replaced(inner));
    else if (isTreeObject(tree)) tree[name] = yield* replaced(inner);
  }
}

function namesIn(tree: PatchTree): readonly string[] {
  if (tree instanceof KeyedArray) return [...tree.keys()];
  return isTreeObject(tree) ? Object.keys(tree) : [];
}

function memberOf(tree: PatchTree, name: string): PatchTree | undefined {
  if (tree instanceof KeyedArray) return tree.get(name);
  return isTreeObject(tree) && Object.hasOwn(tree, name) ? tree[name] : undefined;
}

function* keyedOf(elements: readonly PatchTree[], keys: readonly string[]): Steps<KeyedArray> {
  const keyed = levelOf(keys, {});
  for (const tree of elements) {
    yield;
    const element = yield* plainOf(tree);
    let level = keyed;
    const above: Record<string, string> = {};
    keys.slice(0, -1).forEach((key, at) => {
      const step = keyIn(element, key);
      above[key] = step;
      const inner = level.get(step);
      const next = inner instanceof KeyedArray ? inner : levelOf(keys.slice(at + 1), { ...above });
      level.set(step, next);
      level = next;
    });
    const last = keys.at(-1);
    const step = last === undefined ? plainText(element) : keyIn(element, last);
    // What the patch does not mention must not get lost, even if no key tells it from another.
    level.set(level.has(step) ? `${step}${SAME_KEY}${level.size}` : step, element);
  }
  return keyed;
}

/** Keys that were given on the way to a level, by the members that they are made from. */
type KeysAbove = Readonly<Record<string, string>>;

function levelOf(keys: readonly string[], above: KeysAbove): KeyedArray {
  return new KeyedArray((keyed) => levelElements(keyed, keys, above));
}

function* levelElements(
  entries: Iterable<readonly [string, PatchTree]>,
  keys: readonly string[],
  above: KeysAbove,
): Steps<JsonValue[]> {
  const elements: JsonValue[] = [];
  for (const [step, tree] of entries) {
    for (const element of yield* elementsAt(step, tree, keys, above)) elements.push(element);
    yield;
  }
  return elements;
}

/** What is below one key: an element, or further levels. A patch may have put an element above the last level. */
function* elementsAt(
  step: string,
  tree: PatchTree,
  keys: readonly string[],
  above: KeysAbove,
): Steps<readonly JsonValue[]> {
  const [key, ...rest] = keys;
  if (key === undefined) return [typeof tree === 'string' ? tree : step];
  const known = { ...above, [key]: step };
  if (tree instanceof KeyedArray) return yield* levelElements(tree, rest, known);
  if (rest.length === 0 || !isTreeObject(tree) || isElement(tree, [...Object.keys(above), ...keys])) {
    return [withKeys(yield* plainOf(tree), known)];
  }
  return yield* levelElements(Object.entries(tree), rest, known);
}

/** Below a key of an array with several there are further keys, with objects below each; anything else is an element. */
function isElement(tree: TreeObject, keys: readonly string[]): boolean {
  const inner = Object.values(tree);
  return inner.length === 0 || !inner.every(isLevel) || keys.some((key) => typeof tree[key] === 'string');
}

function isLevel(tree: PatchTree): boolean {
  return tree instanceof KeyedArray || isTreeObject(tree);
}

/** An element that a patch has begun by something inside it has got no key of its own yet. */
function withKeys(element: JsonValue, known: KeysAbove): JsonValue {
  if (!isJsonObject(element)) return element;
  let completed = element;
  for (const key in known) {
    const step = known[key] ?? '';
    if (Object.hasOwn(element, key) || step === '' || step.startsWith('-')) continue;
    if (!step.includes(SAME_KEY) && !key.includes(UNIT_SEPARATOR)) completed = { ...completed, [key]: step };
  }
  return completed;
}

/** An element without the member has the empty key. */
function keyIn(element: JsonValue, key: string): string {
  let value: JsonValue | undefined = element;
  for (const name of key.split(UNIT_SEPARATOR)) {
    value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  const [only, ...others] = isJsonObject(value) ? Object.values(value) : [];
  // The member of a union.
  return plainText(others.length === 0 && only !== undefined ? only : value);
}

function plainText(value: JsonValue | undefined): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return '';
  }
}
