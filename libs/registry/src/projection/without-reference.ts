import { COLUMN_TYPE, parentOfColumn } from '@stratalog/domain';
import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/json';
import type { Step } from '../annotations/place';
import { checkAspect } from '../values/check-aspect';
import type { AspectType, EntityRegistry } from '../model/entity-registry';
import { DOWNSTREAM_OF } from './collect-column-edges';

export type ReferenceRemoval =
  /** The value without the references, and its canonical JSON text. */
  | { readonly kind: 'rewritten'; readonly value: JsonValue; readonly text: string }
  /** The aspect has no other content than the reference. */
  | { readonly kind: 'emptied' }
  /** The schema requires the reference, and the aspect has other content. */
  | { readonly kind: 'required' };

/**
 * Lists the relationships by which an aspect's value refers to a urn or, where it names columns alone, to the columns of that
 * entity; defaults of the model do not count.
 */
export function referencesIn(aspect: AspectType, value: JsonValue, urn: string): readonly string[] {
  const places = listPlaces(aspect, urn).filter(({ place }) => refersTo(value, place));
  const linked = withoutColumns(aspect, value, urn) === value ? [] : [DOWNSTREAM_OF];
  return [...new Set([...places.map(({ name }) => name), ...linked])];
}

/**
 * Removes the references to a urn from an aspect's value, and links of columns with its columns. Each removal is as small as the
 * schema allows: the field itself, else the enclosing element of an array or entry of a map.
 */
export function withoutReference(
  registry: EntityRegistry,
  aspect: AspectType,
  value: JsonValue,
  urn: string,
): ReferenceRemoval {
  const unlinked = withoutColumns(aspect, value, urn);
  const check = unlinked === value ? { text: '' } : checkAspect(registry, aspect, unlinked);
  let removal: ReferenceRemoval =
    'text' in check
      ? { kind: 'rewritten', value: unlinked, text: check.text }
      : { kind: 'rewritten', value, text: '' };
  for (const { place } of listPlaces(aspect, urn)) {
    if (!refersTo(removal.value, place)) continue;
    const next = withoutPlace(registry, aspect, removal.value, place);
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
  readonly refers: (value: JsonValue) => boolean;
}

/** Lists the places that refer to a urn. A place for columns alone refers to the columns of the urn too. */
function listPlaces(
  { relationships }: AspectType,
  urn: string,
): readonly { readonly name: string; readonly place: Place }[] {
  return relationships.map(({ name, steps, entityTypes }) => {
    const isOfColumns = entityTypes.length === 1 && entityTypes[0] === COLUMN_TYPE;
    const refers = (value: JsonValue): boolean => value === urn || (isOfColumns && isColumnOf(value, urn));
    return { name, place: { steps, index: 0, refers } };
  });
}

function isColumnOf(value: JsonValue, urn: string): boolean {
  return typeof value === 'string' && parentOfColumn(value) === urn;
}

/**
 * Removes a urn and its columns from the lists that link columns with columns, and links that lose one of their sides: the rest
 * would say that something is made from nothing. Answers the same value when it has none.
 */
function withoutColumns({ columnLinks }: AspectType, value: JsonValue, urn: string): JsonValue {
  if (!isJsonObject(value)) return value;
  const rest: JsonObject = { ...value };
  let isSame = true;
  for (const { kind, field } of columnLinks) {
    const list = rest[field];
    if (kind !== 'pairs' || !Array.isArray(list)) continue;
    const kept = list.map((link) => withoutSides(link, urn));
    if (kept.every((link, at) => link === list[at])) continue;
    rest[field] = kept.filter((link) => link !== undefined);
    isSame = false;
  }
  return isSame ? value : rest;
}

/** `undefined`: a side of the link has lost all its columns. */
function withoutSides(link: JsonValue, urn: string): JsonValue | undefined {
  if (!isJsonObject(link)) return link;
  let rest = link;
  for (const side of ['upstreams', 'downstreams']) {
    const columns = rest[side];
    if (!Array.isArray(columns)) continue;
    const kept = columns.filter((column) => column !== urn && !isColumnOf(column, urn));
    if (kept.length === columns.length) continue;
    if (kept.length === 0) return undefined;
    rest = { ...rest, [side]: kept };
  }
  return rest;
}

function refersTo(value: JsonValue, place: Place): boolean {
  const step = place.steps[place.index];
  if (step === undefined) return place.refers(value);
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
