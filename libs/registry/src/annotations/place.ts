import { isJsonObject, type JsonValue } from '@stratalog/model';

/** One step from a value to what lies in it. */
export interface Step {
  /** A field or union member; `*` is each element of an array or map, `$key` each key of a map. */
  readonly name: string;
  /** What the field's default says when it is absent. Stored values hold no defaults; what is derived from them does. */
  readonly fallback?: JsonValue;
}

/** What lies at a place, and the index of the element for each `*` or `$key` on the way. */
export type Visitor = (value: JsonValue, trail: readonly number[]) => void;

/** Follows `steps` through a value and shows each thing that lies at their end, in order. Nulls count as absent. */
export function visitPlace(value: JsonValue, steps: readonly Step[], visit: Visitor): void {
  follow(value, steps, 0, [], visit);
}

/** What lies at the end of `steps` when `*` means the elements of `trail`: the first `*` its first number, and so on. */
export function valueAlong(
  value: JsonValue,
  steps: readonly Step[],
  trail: readonly number[],
): JsonValue | undefined {
  let inner: JsonValue | undefined = value;
  let depth = 0;
  for (const step of steps) {
    if (inner === undefined || inner === null) return undefined;
    if (step.name === '*' || step.name === '$key') {
      const index = trail[depth++];
      inner = index === undefined ? undefined : elementsOf(inner, step.name)[index];
    } else {
      inner = memberOf(inner, step);
    }
  }
  return inner ?? undefined;
}

function follow(
  value: JsonValue | undefined,
  steps: readonly Step[],
  index: number,
  trail: readonly number[],
  visit: Visitor,
): void {
  if (value === undefined || value === null) return;
  const step = steps[index];
  if (step === undefined) {
    visit(value, trail);
  } else if (step.name === '*' || step.name === '$key') {
    elementsOf(value, step.name).forEach((element, at) => {
      follow(element, steps, index + 1, [...trail, at], visit);
    });
  } else {
    follow(memberOf(value, step), steps, index + 1, trail, visit);
  }
}

function elementsOf(value: JsonValue, step: '*' | '$key'): readonly JsonValue[] {
  if (Array.isArray(value)) return step === '*' ? value : [];
  if (!isJsonObject(value)) return [];
  return step === '*' ? Object.values(value) : Object.keys(value);
}

function memberOf(value: JsonValue, { name, fallback }: Step): JsonValue | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.hasOwn(value, name) ? value[name] : fallback;
}
