import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/json';
import type { ActionAuthor, ActionOperation, AspectState } from './action';

/** Lists the elements of a list of records. */
export function listElements({ value }: AspectState, list: string): readonly JsonObject[] {
  const elements = value?.[list];
  return Array.isArray(elements) ? elements.filter(isJsonObject) : [];
}

/** Says of an element that its test takes it back. */
const TAKE_BACK = { takeBack: 'true' };

/** Returns what an element says of its origin when a test adds it. */
export function toAttribution({ test, actor, nowMs, isTakenBack }: ActionAuthor): JsonObject {
  return { time: nowMs, actor, source: test, ...(isTakenBack ? { sourceDetail: TAKE_BACK } : {}) };
}

/** Returns whether an element says that this test added it and takes it back. */
export function isMarked(element: JsonObject, author: ActionAuthor): boolean {
  const { attribution } = element;
  const detail = isJsonObject(attribution) ? attribution.sourceDetail : undefined;
  return isAddedBy(element, author) && isJsonObject(detail) && detail.takeBack === TAKE_BACK.takeBack;
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
