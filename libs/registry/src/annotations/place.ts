import { isJsonObject, type JsonValue, type ParsedJson, type Steps } from '@stratalog/json';

/** One step from a value to an inner value. */
export interface Step {
  /** Name of a field or union member; `*` is each element of an array or map, `$key` each key of a map. */
  readonly name: string;
  /**
   * Default of the field, used when it is absent. Stored values contain no defaults, but values derived from them do.
   */
  readonly fallback?: JsonValue;
}

/** Small elements that one step follows. */
const ELEMENTS_A_STEP = 64;

/** Index or key of an element in a list or map. */
export type Key = number | string;

/** Receives the value at a place, and the key of the element for each `*` or `$key` of the path. */
export type Visitor = (value: JsonValue, trail: readonly Key[]) => void;

/**
 * Visits each value at the end of `steps`, in order. A null counts as absent. Large lists and maps are followed in
 * steps.
 */
export function* visitPlace(
  { value, large }: ParsedJson,
  steps: readonly Step[],
  visit: Visitor,
): Steps<void> {
  if (large.has(value)) yield* followLarge({ steps, visit, large }, value, 0, []);
  else visitSmallPlace(value, steps, visit);
}

/** Does the same at once: for a value that is not large. */
export function visitSmallPlace(value: JsonValue, steps: readonly Step[], visit: Visitor): void {
  follow({ steps, visit }, value, 0, ROOT);
}

const ROOT: readonly Key[] = [];

/** Reads the value at the end of `steps`, where each `*` or `$key` selects the next element of `trail`. */
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

/** Formats the path of a visited value, with the key of its element for each `*`. */
export function formatPlace(steps: readonly Step[], trail: readonly Key[]): string {
  const keys = [...trail];
  return steps.map(({ name }) => `/${String(name === '*' ? keys.shift() : name)}`).join('');
}

interface Walk {
  readonly steps: readonly Step[];
  readonly visit: Visitor;
}

function follow(walk: Walk, value: JsonValue | undefined, index: number, trail: readonly Key[]): void {
  if (value === undefined || value === null) return;
  const step = walk.steps[index];
  if (step === undefined) {
    walk.visit(value, trail);
  } else if (isEach(step)) {
    for (const [key, element] of toElements(value, step)) follow(walk, element, index + 1, [...trail, key]);
  } else {
    follow(walk, memberOf(value, step), index + 1, trail);
  }
}

function* followLarge(
  walk: Walk & Pick<ParsedJson, 'large'>,
  value: JsonValue | undefined,
  index: number,
  trail: readonly Key[],
): Steps<void> {
  const step = walk.steps[index];
  if (step === undefined || value === undefined || !walk.large.has(value)) {
    follow(walk, value, index, trail);
  } else if (isEach(step)) {
    let count = 0;
    for (const [key, element] of toElements(value, step)) {
      const inner = [...trail, key];
      if (walk.large.has(element)) yield* followLarge(walk, element, index + 1, inner);
      else follow(walk, element, index + 1, inner);
      if (++count % ELEMENTS_A_STEP === 0) yield;
    }
  } else {
    yield* followLarge(walk, memberOf(value, step), index + 1, trail);
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
