import {
  isJsonObject,
  parseUntrustedInSteps,
  type JsonObject,
  type JsonValue,
  type Steps,
} from '@stratalog/json';
import { parsePointer } from './json-pointer';

/** One operation of a patch, with its pointers split and the urns in them decoded. */
export type PatchOperation = { readonly path: readonly string[]; readonly pathText: string } & (
  | { readonly op: 'add' | 'replace' | 'test'; readonly value: JsonValue }
  /** The removal of an array that the aspect must have leaves it empty. */
  | { readonly op: 'remove'; readonly isRequiredArray?: boolean }
  | { readonly op: 'move' | 'copy'; readonly from: readonly string[] }
);

/** A parsed PATCH value. */
export interface PatchDocument {
  readonly operations: readonly PatchOperation[];
  /** Key members by array, for arrays that the patch addresses by key; only in the generic form. */
  readonly arrayKeys?: ReadonlyMap<string, readonly string[]>;
  /** True: the array keys apply whatever template the aspect has. */
  readonly isForcedGeneric: boolean;
}

const MAX_OPERATIONS = 10_000;
const ARRAY = 'an RFC 6902 array of operations, or an object with such an array as its member patch';

/**
 * Parses the value of a PATCH proposal: an array of operations, or an object with `patch`, `arrayPrimaryKeys` and
 * `forceGenericPatch`.
 *
 * **Errors**: throws none; the fault names the operation and the member.
 *
 * **Source**: RFC 6902; `docs/what/proposal.md`, Patches.
 */
export function* readPatch(text: string): Steps<PatchDocument | { readonly fault: string }> {
  try {
    return yield* parseDocument((yield* parseUntrustedInSteps(text)).value);
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'not JSON' };
  }
}

function* parseDocument(value: JsonValue): Steps<PatchDocument> {
  if (Array.isArray(value)) return { operations: yield* toOperations(value), isForcedGeneric: false };
  if (!isJsonObject(value) || !Array.isArray(value.patch)) throw new SyntaxError(`it is not ${ARRAY}`);
  const { patch, arrayPrimaryKeys = {}, forceGenericPatch = false } = value;
  if (typeof forceGenericPatch !== 'boolean')
    throw new SyntaxError('/forceGenericPatch is not true or false');
  return {
    operations: yield* toOperations(patch),
    arrayKeys: readArrayKeys(arrayPrimaryKeys),
    isForcedGeneric: forceGenericPatch,
  };
}

function readArrayKeys(value: JsonValue): ReadonlyMap<string, readonly string[]> {
  if (!isJsonObject(value)) throw new SyntaxError('/arrayPrimaryKeys is not an object');
  return new Map(
    Object.entries(value).map(([field, keys]) => {
      if (Array.isArray(keys) && keys.every((key) => typeof key === 'string')) return [field, keys];
      throw new SyntaxError(`/arrayPrimaryKeys/${field} is not a list of names`);
    }),
  );
}

function* toOperations(values: readonly JsonValue[]): Steps<readonly PatchOperation[]> {
  if (values.length > MAX_OPERATIONS) throw new SyntaxError(`it has more than ${MAX_OPERATIONS} operations`);
  const operations: PatchOperation[] = [];
  for (const [at, value] of values.entries()) {
    try {
      if (!isJsonObject(value)) throw new SyntaxError('is not an object');
      operations.push(toOperation(value));
    } catch (error) {
      throw new SyntaxError(`/${at} ${error instanceof Error ? error.message : ''}`, { cause: error });
    }
    yield;
  }
  return operations;
}

function toOperation(value: JsonObject): PatchOperation {
  const { op, path: pathText } = value;
  if (typeof pathText !== 'string') throw new SyntaxError('has no path');
  const place = { path: parsePath(pathText), pathText };
  switch (op) {
    case 'remove':
      return { op, ...place };
    case 'add':
    case 'replace':
    case 'test':
      if (value.value === undefined) throw new SyntaxError('has no value');
      return { op, ...place, value: value.value };
    case 'move':
    case 'copy':
      if (typeof value.from !== 'string') throw new SyntaxError('has no from');
      return { op, ...place, from: parsePath(value.from) };
    default:
      throw new SyntaxError('has an op that is not add, remove, replace, move, copy or test');
  }
}

/** Decodes urns in paths: some client releases encode them, others do not. */
function parsePath(pointer: string): readonly string[] {
  return parsePointer(pointer).map(decodeUrn);
}

function decodeUrn(step: string): string {
  if (!/^urn%3a/i.test(step)) return step;
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
