import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/model';
import type { Step } from '../annotations/place';
import { checkAspect } from '../values/check-aspect';
import type { AspectType, EntityRegistry } from '../model/entity-registry';

export type ReferenceRemoval =
  /** The value without the references, and its canonical JSON text. */
  | { readonly kind: 'rewritten'; readonly value: JsonValue; readonly text: string }
  /** The aspect has no other content than the reference. */
  | { readonly kind: 'emptied' }
  /** The schema requires the reference, and the aspect has other content. */
  | { readonly kind: 'required' };

/** Lists the relationships by which an aspect's value refers to a urn; defaults of the model do not count. */
export function referencesIn(aspect: AspectType, value: JsonValue, urn: string): readonly string[] {
  const matching = aspect.relationships.filter(({ steps }) => refersTo(value, { steps, index: 0, urn }));
  return [...new Set(matching.map(({ name }) => name))];
}

/**
 * Removes the references to a urn from an aspect's value. Each removal is as small as the schema allows: the field
 * itself, else the enclosing element of an array or entry of a map.
 */
export function withoutReference(
  registry: EntityRegistry,
  aspect: AspectType,
  value: JsonValue,
  urn: string,
): ReferenceRemoval {
  let removal: ReferenceRemoval = { kind: 'rewritten', value, text: '' };
  for (const { steps } of aspect.relationships) {
    if (!refersTo(removal.value, { steps, index: 0, urn })) continue;
    const next = withoutPlace(registry, aspect, removal.value, { steps, index: 0, urn });
    if (next.kind !== 'rewritten') return next;
    removal = next;
  }
  return removal;
}

function withoutPlace(
  registry: EntityRegistry,
  aspect: AspectType,
  value: JsonValue,
  place: Place,
): ReferenceRemoval {
  for (let depth = place.steps.length - 1; depth >= 0; depth--) {
    const rest = prune(value, place, depth);
    const check = checkAspect(registry, aspect, rest);
    if ('text' in check) return { kind: 'rewritten', value: rest, text: check.text };
    if (depth === 0 && isJsonObject(rest) && Object.keys(rest).length === 0) return { kind: 'emptied' };
  }
  return { kind: 'required' };
}

/** A position on the path to the urns at the end of `steps`. */
interface Place {
  readonly steps: readonly Step[];
  readonly index: number;
  readonly urn: string;
}

function refersTo(value: JsonValue, place: Place): boolean {
  const step = place.steps[place.index];
  if (step === undefined) return value === place.urn;
  return listEntries(value, step.name).some(([, inner]) => refersTo(inner, advance(place)));
}

/** Removes the part that leads to the urn at step `depth`. */
function prune(value: JsonValue, place: Place, depth: number): JsonValue {
  const name = place.steps[place.index]?.name ?? '';
  const kept = new Map<string, JsonValue>();
  const dropped = new Set<string>();
  for (const [key, inner] of listEntries(value, name)) {
    if (!refersTo(inner, advance(place))) continue;
    if (place.index === depth) dropped.add(key);
    else kept.set(key, prune(inner, advance(place), depth));
  }
  if (Array.isArray(value)) {
    return value.flatMap((inner, index) =>
      dropped.has(String(index)) ? [] : [kept.get(String(index)) ?? inner],
    );
  }
  if (!isJsonObject(value)) return value;
  const rest: JsonObject = {};
  for (const [key, inner] of Object.entries(value)) {
    if (!dropped.has(key)) rest[key] = kept.get(key) ?? inner;
  }
  return rest;
}

function advance(place: Place): Place {
  return { ...place, index: place.index + 1 };
}

/** Lists the values that a step leads to, by their index, member or key. */
function listEntries(value: JsonValue, name: string): readonly (readonly [string, JsonValue])[] {
  if (Array.isArray(value)) return name === '*' ? value.map((inner, index) => [String(index), inner]) : [];
  if (!isJsonObject(value)) return [];
  if (name === '*') return Object.entries(value);
  if (name === '$key') return Object.keys(value).map((key) => [key, key]);
  const inner = Object.hasOwn(value, name) ? value[name] : undefined;
  return inner === undefined ? [] : [[name, inner]];
}
