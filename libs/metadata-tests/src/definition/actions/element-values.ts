import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/model';
import type { ActionAuthor, ActionOperation, AspectState } from './action';

/** Lists the elements of a list of records. */
export function listElements({ value }: AspectState, list: string): readonly JsonObject[] {
  const elements = value?.[list];
  return Array.isArray(elements) ? elements.filter(isJsonObject) : [];
}

/** Returns what an element says of its origin when a test adds it. */
export function toAttribution({ test, actor, nowMs }: ActionAuthor): JsonObject {
  return { time: nowMs, actor, source: test };
}

/** Returns whether an element says that this test added it. */
export function isAddedBy({ attribution }: JsonObject, { test }: ActionAuthor): boolean {
  return isJsonObject(attribution) && attribution.source === test;
}

export function add(path: readonly string[], value: JsonValue): ActionOperation {
  return { op: 'add', path: toPointer(path), value };
}

export function remove(path: readonly string[]): ActionOperation {
  return { op: 'remove', path: toPointer(path) };
}

function toPointer(path: readonly string[]): string {
  return path.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
