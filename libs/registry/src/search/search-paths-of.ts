import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/model';
import { dereferenced, type FieldSchema, type RecordSchema, type Schema } from '../schema';
import { errorAt } from '../source-file';
import { companionsOf, searchFieldOf, searchNameOf, type Annotated } from './search-field-of';
import type { SearchPath } from './search-path';

/** Path below a field -> `@Searchable` body; `''` is the field itself, `null` switches an inner annotation off. */
type Bodies = ReadonlyMap<string, JsonObject | null>;

interface Place {
  readonly path: string;
  /** The innermost field on the way. */
  readonly field: FieldSchema;
  readonly type: Schema;
  readonly bodies: Bodies;
}

/**
 * The searchable places of an aspect, in the order of its fields. A field's annotation that names paths replaces what the
 * types below say at exactly those paths.
 *
 * **Errors**: `InvalidModelError` for an annotation that cannot be understood.
 *
 * **Source**: the model's README, "Meaning of absent annotation keys".
 */
export function searchPathsOf(record: RecordSchema, rename: (name: string) => string): readonly SearchPath[] {
  const found: { path: string; annotated: Annotated }[] = [];
  collectFields(record, '', new Map(), new Walk(rename, found));
  const taken = new Set<string>();
  return found.map(({ path, annotated }) => {
    // The later of two places with one name is searched under its path.
    const wanted = searchNameOf(annotated);
    const name = taken.has(wanted) ? path.slice(1).replaceAll('/', '_').replaceAll('*', '') : wanted;
    if (taken.has(name))
      throw errorAt(annotated.origin, `@Searchable: the search name ${name} is taken twice`);
    taken.add(name);
    return {
      path,
      steps: path.slice(1).split('/'),
      field: searchFieldOf(annotated, name),
      ...companionsOf(annotated),
      options: annotated.options,
    };
  });
}

class Walk {
  /** Records on the way down: one that contains itself is entered once. */
  readonly entered = new Set<RecordSchema>();

  constructor(
    readonly rename: (name: string) => string,
    readonly found: { path: string; annotated: Annotated }[],
  ) {}
}

function collectFields(record: RecordSchema, path: string, outer: Bodies, walk: Walk): void {
  if (walk.entered.has(record)) return;
  walk.entered.add(record);
  for (const field of record.fields) {
    const bodies = new Map([...ownBodies(field, walk.rename), ...below(outer, field.name)]);
    collect({ path: `${path}/${field.name}`, field, type: field.type, bodies }, walk);
  }
  walk.entered.delete(record);
}

function collect(place: Place, walk: Walk): void {
  const type = dereferenced(place.type);
  switch (type.kind) {
    case 'record':
      collectFields(type, place.path, place.bodies, walk);
      return;
    case 'array': {
      const bodies = new Map([...here(place.bodies), ...below(place.bodies, '*')]);
      collect({ ...place, path: `${place.path}/*`, type: type.items, bodies }, walk);
      return;
    }
    case 'union':
      for (const { key, type: member } of type.members) {
        collect(
          { ...place, path: `${place.path}/${key}`, type: member, bodies: below(place.bodies, key) },
          walk,
        );
      }
      return;
    case 'map':
      // One body describes the whole map, whichever path it stands under; what lies below is not looked at.
      found(place, [...place.bodies.values()].at(-1), walk);
      return;
    case 'primitive':
    case 'enum':
    case 'fixed':
      // `/*` on what is no collection means the value itself: the field's files have a few of those.
      found(place, place.bodies.get('') ?? place.bodies.get('/*'), walk);
  }
}

function found({ path, field, type }: Place, options: JsonObject | null | undefined, walk: Walk): void {
  if (options === undefined || options === null) return;
  walk.found.push({ path, annotated: { options, fieldName: field.name, type, origin: field.origin } });
}

/** What the annotation of a field says, by path. */
function ownBodies(field: FieldSchema, rename: (name: string) => string): Bodies {
  const annotation = field.annotations.Searchable;
  if (annotation === undefined) return new Map();
  if (annotation === true) return new Map([['', {}]]);
  if (!isJsonObject(annotation)) throw errorAt(field.origin, '@Searchable: expected a JSON object');
  const entries = Object.entries(annotation);
  if (!entries.some(([key]) => key.startsWith('/'))) return new Map([['', annotation]]);
  return new Map(entries.map(([path, body]) => [renamed(path, rename), bodyOf(path, body, field)]));
}

function bodyOf(path: string, body: JsonValue, field: FieldSchema): JsonObject | null {
  if (!path.startsWith('/'))
    throw errorAt(field.origin, `@Searchable: expected paths only, found ${path} beside them`);
  if (body === null || isJsonObject(body)) return body;
  throw errorAt(field.origin, `@Searchable: expected a JSON object for ${path}`);
}

/** A path may hold the full names of union members, which follow the vendor's name. */
function renamed(path: string, rename: (name: string) => string): string {
  return path.split('/').map(rename).join('/');
}

function here(bodies: Bodies): Bodies {
  const body = bodies.get('');
  return body === undefined ? new Map() : new Map([['', body]]);
}

function below(bodies: Bodies, segment: string): Bodies {
  const inner = new Map<string, JsonObject | null>();
  for (const [path, body] of bodies) {
    if (path === `/${segment}`) inner.set('', body);
    else if (path.startsWith(`/${segment}/`)) inner.set(path.slice(segment.length + 1), body);
  }
  return inner;
}
