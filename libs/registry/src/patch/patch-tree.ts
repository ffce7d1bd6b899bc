import { MAX_JSON_DEPTH, isJsonObject, type JsonObject, type JsonValue, type Steps } from '@stratalog/json';
import type { PatchOperation } from './patch-document';

/**
 * A value during a patch. Keyed arrays are maps in it, which keep the order of elements for any keys; the members of
 * an object would not.
 */
export type PatchTree = null | boolean | number | bigint | string | PatchTree[] | TreeObject | KeyedArray;
export interface TreeObject {
  [member: string]: PatchTree;
}
export class KeyedArray extends Map<string, PatchTree> {
  /** `plainForm` converts it back to JSON: an array, or an object for a level below the array. */
  constructor(readonly plainForm: (keyed: KeyedArray) => Steps<JsonValue>) {
    super();
  }
}

/**
 * Most nodes that `copy`, `move` and `test` operations of one patch read together. Without a bound each `copy` could
 * double the value, and each `test` or `move` could read all of it.
 */
const MAX_READ_NODES = 100_000;
const TOO_MUCH = `the patch copies too much: what its copies, moves and tests read has more than ${MAX_READ_NODES} values together`;

/**
 * Applies the operations one after another in place, and returns the new root; `undefined` when none had an effect. A
 * `remove` of what is absent has none, so that clients need not read before they remove.
 *
 * **Errors**: `RangeError` that names the operation and the reason.
 *
 * **Source**: RFC 6902, section 4; `docs/what/proposal.md`, Patches, for `add`, which creates missing
 * parents.
 */
export function* applyOperations(
  tree: PatchTree,
  operations: readonly PatchOperation[],
): Steps<PatchTree | undefined> {
  const state: PatchState = { root: tree, readable: MAX_READ_NODES, isChanged: false };
  for (const [at, operation] of operations.entries()) {
    try {
      yield* apply(state, operation);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const { op, pathText } = operation;
      throw new RangeError(`operation /${at} (${op} ${pathText.slice(0, 300)}): ${error.message}`, {
        cause: error,
      });
    }
    yield;
  }
  return state.isChanged ? state.root : undefined;
}

interface PatchState {
  root: PatchTree;
  isChanged: boolean;
  /** Number of nodes that operations may still read. */
  readable: number;
}

function* apply(state: PatchState, operation: PatchOperation): Steps<void> {
  const { path } = operation;
  switch (operation.op) {
    case 'add':
      add(state, path, operation.value);
      break;
    case 'replace':
      read(state.root, path);
      put(state, path, operation.value);
      break;
    case 'remove':
      if (!(operation.isRequiredArray === true ? empty : remove)(state, path)) return;
      break;
    case 'test':
      if (!isEqual(yield* readPart(state, path), operation.value))
        throw new RangeError('the value is another');
      break;
    case 'copy':
      add(state, path, structuredClone(yield* readPart(state, operation.from)));
      break;
    case 'move': {
      const { from } = operation;
      const isOwnPart = path.length > from.length && from.every((step, at) => path[at] === step);
      if (isOwnPart) throw new RangeError('a value cannot be moved into itself');
      const moved = read(state.root, from);
      spend(state, moved);
      remove(state, from);
      add(state, path, moved);
      break;
    }
    default:
      operation satisfies never;
  }
  state.isChanged = true;
}

/**
 * Converts the tree to JSON, with keyed arrays as arrays. Parts without keyed arrays are not copied: values are
 * large, and patches small.
 */
export function* toPlain(tree: PatchTree): Steps<JsonValue> {
  if (tree instanceof KeyedArray) return yield* tree.plainForm(tree);
  if (Array.isArray(tree)) {
    const elements: JsonValue[] = [];
    for (const element of tree) {
      elements.push(isPlain(element) ? element : yield* toPlain(element));
      yield;
    }
    return elements;
  }
  if (!isTreeObject(tree)) return tree;
  const plain: JsonObject = {};
  for (const [name, inner] of Object.entries(tree)) {
    plain[name] = !Array.isArray(inner) && isPlain(inner) ? inner : yield* toPlain(inner);
  }
  return plain;
}

function isPlain(tree: PatchTree): tree is JsonValue {
  if (typeof tree !== 'object' || tree === null) return true;
  return !(tree instanceof KeyedArray) && Object.values(tree).every(isPlain);
}

export function isTreeObject(tree: PatchTree | undefined): tree is TreeObject {
  return isJsonObject(tree) && !(tree instanceof Map);
}

function read(root: PatchTree, path: readonly string[]): PatchTree {
  const tree = find(root, path);
  if (tree === undefined) throw new RangeError('there is nothing at this path');
  return tree;
}

function find(root: PatchTree, path: readonly string[]): PatchTree | undefined {
  let tree: PatchTree | undefined = root;
  for (const step of path) {
    tree = getChild(tree, step);
    if (tree === undefined) return undefined;
  }
  return tree;
}

function getChild(tree: PatchTree, step: string): PatchTree | undefined {
  if (tree instanceof KeyedArray) return tree.get(step);
  if (Array.isArray(tree)) return tree[parseIndex(step, tree.length - 1)];
  return isTreeObject(tree) && Object.hasOwn(tree, step) ? tree[step] : undefined;
}

/** Parses an array index; -1 when the step is no index of the array. */
function parseIndex(step: string, last: number): number {
  const index = /^(0|[1-9]\d{0,8})$/.test(step) ? Number(step) : -1;
  return index > last ? -1 : index;
}

/** Creates missing objects on the path; an array inserts the value, or appends it. */
function add(state: PatchState, path: readonly string[], value: PatchTree): void {
  let tree = state.root;
  for (const step of path.slice(0, -1)) {
    let inner = getChild(tree, step);
    if (inner === undefined) {
      inner = {};
      set(tree, step, inner);
    }
    tree = inner;
  }
  const last = path.at(-1);
  if (last !== undefined && Array.isArray(tree)) {
    checkDepth(path, value);
    const at = last === '-' ? tree.length : parseIndex(last, tree.length);
    if (at < 0) throw new RangeError(`"${last.slice(0, 100)}" is no place in the array`);
    tree.splice(at, 0, value);
    return;
  }
  put(state, path, value);
}

function put(state: PatchState, path: readonly string[], value: PatchTree): void {
  checkDepth(path, value);
  const last = path.at(-1);
  if (last === undefined) state.root = value;
  else set(read(state.root, path.slice(0, -1)), last, value);
}

function set(tree: PatchTree, step: string, value: PatchTree): void {
  if (tree instanceof KeyedArray) tree.set(step === '-' ? `-${tree.size}` : step, value);
  else if (isTreeObject(tree)) tree[step] = value;
  else if (Array.isArray(tree) && parseIndex(step, tree.length - 1) >= 0) tree[Number(step)] = value;
  else throw new RangeError(`there is nothing that could hold "${step.slice(0, 100)}"`);
}

/** Returns false when there is nothing to remove. */
function remove(state: PatchState, path: readonly string[]): boolean {
  const last = path.at(-1);
  if (last === undefined) throw new RangeError('the whole value cannot be removed; use DELETE');
  if (find(state.root, path) === undefined) return false;
  const tree = read(state.root, path.slice(0, -1));
  if (tree instanceof KeyedArray) tree.delete(last);
  else if (Array.isArray(tree)) tree.splice(Number(last), 1);
  else if (isTreeObject(tree)) Reflect.deleteProperty(tree, last);
  return true;
}

/** Removes all elements of an array; returns false when it has none. */
function empty(state: PatchState, path: readonly string[]): boolean {
  const array = find(state.root, path);
  if (array instanceof KeyedArray) {
    const { size } = array;
    array.clear();
    return size > 0;
  }
  if (array === undefined || (Array.isArray(array) && array.length === 0)) return false;
  put(state, path, []);
  return true;
}

/** Reads a part of the value as JSON, for operations that read. */
function* readPart(state: PatchState, path: readonly string[]): Steps<JsonValue> {
  const part = read(state.root, path);
  spend(state, part);
  return yield* toPlain(part);
}

/**
 * Counts the nodes of a part.
 *
 * **Errors**: `RangeError` when the operations have read more than {@link MAX_READ_NODES} together.
 */
function spend(state: PatchState, tree: PatchTree): void {
  if (state.readable-- === 0) throw new RangeError(TOO_MUCH);
  for (const inner of listInner(tree)) spend(state, inner);
}

function checkDepth(path: readonly string[], value: PatchTree): void {
  if (path.length + measureDepth(value) > MAX_JSON_DEPTH) {
    throw new RangeError(`the value would be nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
}

function measureDepth(tree: PatchTree): number {
  if (typeof tree !== 'object' || tree === null) return 0;
  let depth = 0;
  for (const inner of listInner(tree)) depth = Math.max(depth, measureDepth(inner));
  return depth + 1;
}

function listInner(tree: PatchTree): Iterable<PatchTree> {
  if (typeof tree !== 'object' || tree === null) return [];
  return tree instanceof KeyedArray ? tree.values() : Object.values(tree);
}

/** Compares values, ignoring the order of members, and `number` and `bigint` by value. */
function isEqual(a: JsonValue, b: JsonValue): boolean {
  if (isNumber(a) && isNumber(b)) return a >= b && a <= b;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((value, at) => isEqual(value, b[at] ?? null));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isEqual(a[name] ?? null, b[name] ?? null))
  );
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
