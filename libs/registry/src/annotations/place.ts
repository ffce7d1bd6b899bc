import { isJsonObject, type JsonValue, type ParsedJson, type Steps } from '@stratalog/model';

/** One step from a value to what lies in it. */
export interface Step {
  /** A field or union member; `*` is each element of an array or map, `$key` each key of a map. */
  readonly name: string;
  /** What the field's default says when it is absent. Stored values hold no defaults; what is derived from them does. */
  readonly fallback?: JsonValue;
}

/** So many elements that are small are followed in one step. */
const ELEMENTS_A_STEP = 64;

/** Where something lies inside of a list or map: its index, or its key. */
export type Key = number | string;

/** What lies at a place, and the key of the element for each `*` or `$key` on the way. */
export type Visitor = (value: JsonValue, trail: readonly Key[]) => void;

/** Follows `steps` through a value and shows each thing that lies at their end, in order. Nulls count as absent. Large lists and maps take steps. */
export function* visitPlace(
  { value, large }: ParsedJson,
  steps: readonly Step[],
  visit: Visitor,
): Steps<void> {
  if (large.has(value)) yield* followLarge({ steps, visit, large }, value, 0, []);
  else follow({ steps, visit }, value, 0, []);
}

/** What lies at the end of `steps` when `*` means the elements of `trail`: the first `*` its first key, and so on. */
export function valueAlong(
  value: JsonValue,
  steps: readonly Step[],
  trail: readonly Key[],
): JsonValue | undefined {
  let inner: JsonValue | undefined = value;
  let depth = 0;
  for (const step of steps) {
    if (inner === undefined || inner === null) return undefined;
    inner = isEach(step) ? elementAt(inner, step, trail[depth++]) : memberOf(inner, step);
  }
  return inner ?? undefined;
}

interface Way {
  readonly steps: readonly Step[];
  readonly visit: Visitor;
}

function follow(way: Way, value: JsonValue | undefined, index: number, trail: readonly Key[]): void {
  if (value === undefined || value === null) return;
  const step = way.steps[index];
  if (step === undefined) {
    way.visit(value, trail);
  } else if (isEach(step)) {
    for (const [key, element] of toElements(value, step)) follow(way, element, index + 1, [...trail, key]);
  } else {
    follow(way, memberOf(value, step), index + 1, trail);
  }
}

function* followLarge(
  way: Way & Pick<ParsedJson, 'large'>,
  value: JsonValue | undefined,
  index: number,
  trail: readonly Key[],
): Steps<void> {
  const step = way.steps[index];
  if (step === undefined || value === undefined || !way.large.has(value)) {
    follow(way, value, index, trail);
  } else if (isEach(step)) {
    let count = 0;
    for (const [key, element] of toElements(value, step)) {
      const inner = [...trail, key];
      if (way.large.has(element)) yield* followLarge(way, element, index + 1, inner);
      else follow(way, element, index + 1, inner);
      if (++count % ELEMENTS_A_STEP === 0) yield;
    }
  } else {
    yield* followLarge(way, memberOf(value, step), index + 1, trail);
  }
}

function isEach({ name }: Step): boolean {
  return name === '*' || name === '$key';
}

function toElements(value: JsonValue, { name }: Step): Iterable<readonly [Key, JsonValue]> {
  if (Array.isArray(value)) return name === '*' ? value.entries() : [];
  if (!isJsonObject(value)) return [];
  return name === '*' ? Object.entries(value) : Object.keys(value).map((key) => [key, key] as const);
}

function elementAt(value: JsonValue, { name }: Step, key: Key | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return name === '*' && typeof key === 'number' ? value[key] : undefined;
  if (!isJsonObject(value) || typeof key !== 'string' || !Object.hasOwn(value, key)) return undefined;
  return name === '*' ? value[key] : key;
}

function memberOf(value: JsonValue, { name, fallback }: Step): JsonValue | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.hasOwn(value, name) ? value[name] : fallback;
}
