import { isJsonObject, type JsonValue, type Steps } from '@stratalog/json';
import type { PatchOperation } from './patch-document';
import { KeyedArray, isTreeObject, toPlain, type PatchTree, type TreeObject } from './patch-tree';

/** Separates the parts of a key that is nested inside a member of the element. */
export const UNIT_SEPARATOR = '\u241f';
/** Precedes the number of a further element with the same key; no pointer in a patch contains it. */
const SAME_KEY = '\u0000';
/** Matches every key of the keyed array before it in a path. */
export const EACH = '*';

/** An array whose elements a patch addresses by key instead of by index. */
export interface KeyedField {
  /** Path of the array: member names, and {@link EACH} for any element of a keyed array on the path. */
  readonly path: readonly string[];
  /** Members that form the key, one level of the path each. None: the elements are texts and their own keys. */
  readonly keys: readonly string[];
}

/** Selects the fields that a pointer enters. Others stay arrays, so a patch changes nothing outside its pointers. */
export function selectAddressed<Field extends Pick<KeyedField, 'path'>>(
  operations: readonly PatchOperation[],
  fields: readonly Field[],
): readonly Field[] {
  const pointers = operations.flatMap((each) => ('from' in each ? [each.path, each.from] : [each.path]));
  return fields.filter((field) => pointers.some((pointer) => leadsInto(pointer, field.path)));
}

/** Any key on the path is one step. */
function leadsInto(pointer: readonly string[], path: readonly string[]): boolean {
  return pointer.length > path.length && path.every((step, at) => step === EACH || step === pointer[at]);
}

/** Converts arrays to keyed ones in place, outer ones first; ignores absent ones. */
export function* keyArrays(tree: PatchTree, fields: readonly KeyedField[]): Steps<void> {
  for (const { path, keys } of fields) {
    yield* replaceAt(tree, path, function* (field) {
      return Array.isArray(field) ? yield* toKeyed(field, keys) : field;
    });
  }
}

/**
 * Converts objects to arrays in place, inner ones first. A patch that creates a keyed array builds it as an object.
 */
export function* gatherArrays(tree: PatchTree, fields: readonly KeyedField[]): Steps<void> {
  for (const { path, keys } of fields.toReversed()) {
    yield* replaceAt(tree, path, function* (field) {
      return isTreeObject(field) ? yield* levelElements(Object.entries(field), keys, {}) : field;
    });
  }
}

/** Replaces the value at a path, or at each place that the path matches. */
export function* replaceAt(
  tree: PatchTree,
  path: readonly string[],
  replaced: (tree: PatchTree) => Steps<PatchTree>,
): Steps<void> {
  const [step, ...rest] = path;
  if (step === undefined) return;
  const names = step === EACH ? listNames(tree) : [step];
  for (const name of names) {
    yield;
    const inner = getMember(tree, name);
    if (inner === undefined) continue;
    if (rest.length > 0) yield* replaceAt(inner, rest, replaced);
    else if (tree instanceof KeyedArray) tree.set(name, yield* replaced(inner));
    else if (isTreeObject(tree)) tree[name] = yield* replaced(inner);
  }
}

function listNames(tree: PatchTree): readonly string[] {
  if (tree instanceof KeyedArray) return [...tree.keys()];
  return isTreeObject(tree) ? Object.keys(tree) : [];
}

function getMember(tree: PatchTree, name: string): PatchTree | undefined {
  if (tree instanceof KeyedArray) return tree.get(name);
  return isTreeObject(tree) && Object.hasOwn(tree, name) ? tree[name] : undefined;
}

function* toKeyed(elements: readonly PatchTree[], keys: readonly string[]): Steps<KeyedArray> {
  const keyed = createLevel(keys, {});
  for (const tree of elements) {
    yield;
    const element = yield* toPlain(tree);
    let level = keyed;
    const above: Record<string, string> = {};
    keys.slice(0, -1).forEach((key, at) => {
      const step = readKey(element, key);
      above[key] = step;
      const inner = level.get(step);
      const next = inner instanceof KeyedArray ? inner : createLevel(keys.slice(at + 1), { ...above });
      level.set(step, next);
      level = next;
    });
    const last = keys.at(-1);
    const step = last === undefined ? toText(element) : readKey(element, last);
    // Keeps elements with equal keys, because a patch must not lose elements outside its pointers.
    level.set(level.has(step) ? `${step}${SAME_KEY}${level.size}` : step, element);
  }
  return keyed;
}

/** Keys on the path to a level, by their member names. */
type KeysAbove = Readonly<Record<string, string>>;

function createLevel(keys: readonly string[], above: KeysAbove): KeyedArray {
  return new KeyedArray((keyed) => levelElements(keyed, keys, above));
}

function* levelElements(
  entries: Iterable<readonly [string, PatchTree]>,
  keys: readonly string[],
  above: KeysAbove,
): Steps<JsonValue[]> {
  const elements: JsonValue[] = [];
  for (const [step, tree] of entries) {
    for (const element of yield* collectElements(step, tree, keys, above)) elements.push(element);
    yield;
  }
  return elements;
}

/**
 * Collects the elements below one key: an element, or further levels. A patch may have put an element above the last
 * level.
 */
function* collectElements(
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
    return [addKeys(yield* toPlain(tree), known)];
  }
  return yield* levelElements(Object.entries(tree), rest, known);
}

/**
 * Returns whether an object is an element or a level. A level has objects below every key; anything else is an
 * element.
 */
function isElement(tree: TreeObject, keys: readonly string[]): boolean {
  const inner = Object.values(tree);
  return inner.length === 0 || !inner.every(isLevel) || keys.some((key) => typeof tree[key] === 'string');
}

function isLevel(tree: PatchTree): boolean {
  return tree instanceof KeyedArray || isTreeObject(tree);
}

/** Adds the keys to an element that a patch created by a member inside it, or by the text of its only key. */
function addKeys(given: JsonValue, known: KeysAbove): JsonValue {
  const element = typeof given === 'string' && Object.values(known).join() === given ? {} : given;
  if (!isJsonObject(element)) return element;
  let completed = element;
  for (const key in known) {
    const step = known[key] ?? '';
    if (Object.hasOwn(element, key) || step === '' || step.startsWith('-')) continue;
    if (!step.includes(SAME_KEY) && !key.includes(UNIT_SEPARATOR)) completed = { ...completed, [key]: step };
  }
  return completed;
}

/** Returns the key of an element; empty without the member. */
function readKey(element: JsonValue, key: string): string {
  let value: JsonValue | undefined = element;
  for (const name of key.split(UNIT_SEPARATOR)) {
    value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  const [only, ...others] = isJsonObject(value) ? Object.values(value) : [];
  // A union: the key is the value of its member.
  return toText(others.length === 0 && only !== undefined ? only : value);
}

function toText(value: JsonValue | undefined): string {
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
