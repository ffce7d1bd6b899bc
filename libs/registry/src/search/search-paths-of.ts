import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/model';
import { dereferenced, type FieldSchema, type RecordSchema, type Schema } from '../schema';
import { errorAt, type Origin } from '../source-file';
import { companionsOf, searchFieldOf, searchNameOf, type Annotated } from './search-field-of';
import type { SearchPath } from './search-path';

/** Path below a field -> what an annotation says there; `''` is the field itself. */
type Bodies = ReadonlyMap<string, Body>;

interface Body {
  /** The `@Searchable` options; `null` switches the annotation of an inner field off. */
  readonly options: JsonObject | null;
  /** The field that says so. */
  readonly origin: Origin;
}

interface Place {
  readonly path: string;
  /** The innermost field on the way. */
  readonly field: FieldSchema;
  readonly type: Schema;
  readonly bodies: Bodies;
}

/** What one aspect's walk keeps: how names are renamed, the places found, and the records that it is inside of. */
interface Walk {
  readonly rename: (name: string) => string;
  readonly found: { readonly path: string; readonly annotated: Annotated }[];
  readonly inside: Set<RecordSchema>;
}

/**
 * The searchable places of an aspect, in the order of its fields. A field's annotation that names paths replaces what the
 * types below say at exactly those paths.
 *
 * **Errors**: `InvalidModelError` for an annotation that cannot be understood or whose path leads nowhere.
 *
 * **Source**: the model's README, "Meaning of absent annotation keys".
 */
export function searchPathsOf(record: RecordSchema, rename: (name: string) => string): readonly SearchPath[] {
  const walk: Walk = { rename, found: [], inside: new Set() };
  collectFields(record, '', new Map(), walk);
  const taken = new Set<string>();
  return walk.found.map(({ path, annotated }) => {
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
      type: annotated.type,
      ...companionsOf(annotated),
      options: annotated.options,
    };
  });
}

function collectFields(record: RecordSchema, path: string, outer: Bodies, walk: Walk): void {
  refuseStray(
    outer,
    record.fields.map(({ name }) => name),
  );
  // A record that contains itself is entered once.
  if (walk.inside.has(record)) return;
  walk.inside.add(record);
  for (const field of record.fields) {
    const bodies = new Map([...ownBodies(field, walk.rename), ...below(outer, field.name)]);
    collect({ path: `${path}/${field.name}`, field, type: field.type, bodies }, walk);
  }
  walk.inside.delete(record);
}

function collect(place: Place, walk: Walk): void {
  const { path, field, bodies } = place;
  const type = dereferenced(place.type);
  switch (type.kind) {
    case 'record':
      collectFields(type, path, bodies, walk);
      return;
    case 'array': {
      // A body on the array itself describes its elements.
      const inner = new Map([...[...bodies].filter(([rest]) => rest === ''), ...below(bodies, '*')]);
      refuseStray(bodies, ['*', '']);
      collect({ path: `${path}/*`, field, type: type.items, bodies: inner }, walk);
      return;
    }
    case 'union':
      refuseStray(
        bodies,
        type.members.map(({ key }) => key),
      );
      for (const { key, type: member } of type.members) {
        collect({ path: `${path}/${key}`, field, type: member, bodies: below(bodies, key) }, walk);
      }
      return;
    case 'map':
    case 'primitive':
    case 'enum':
    case 'fixed': {
      // One body describes a whole map, and what lies below it is not looked at. On a plain value any path means the value itself:
      // the field's files have `/*` on a urn and `/time` on a time.
      const options = (bodies.get('') ?? [...bodies.values()].at(-1))?.options ?? null;
      if (options === null) return;
      walk.found.push({ path, annotated: { options, fieldName: field.name, type, origin: field.origin } });
    }
  }
}

/** What the annotation of a field says, by path. */
function ownBodies(field: FieldSchema, rename: (name: string) => string): Bodies {
  const { origin, annotations } = field;
  const annotation = annotations.Searchable;
  if (annotation === undefined) return new Map();
  if (annotation === true) return new Map([['', { options: {}, origin }]]);
  if (!isJsonObject(annotation)) throw errorAt(origin, '@Searchable: expected a JSON object');
  const entries = Object.entries(annotation);
  if (!entries.some(([key]) => key.startsWith('/'))) return new Map([['', { options: annotation, origin }]]);
  return new Map(
    entries.map(([path, body]) => [
      renamed(path, rename),
      { options: optionsOf(path, body, origin), origin },
    ]),
  );
}

function optionsOf(path: string, body: JsonValue, origin: Origin): JsonObject | null {
  if (!path.startsWith('/'))
    throw errorAt(origin, `@Searchable: expected paths only, found ${path} beside them`);
  if (body === null || isJsonObject(body)) return body;
  throw errorAt(origin, `@Searchable: expected a JSON object for ${path}`);
}

/** A path may hold the full names of union members, which follow the vendor's name. */
function renamed(path: string, rename: (name: string) => string): string {
  return path.split('/').map(rename).join('/');
}

function below(bodies: Bodies, segment: string): Bodies {
  const inner = new Map<string, Body>();
  for (const [path, body] of bodies) {
    if (path === `/${segment}`) inner.set('', body);
    else if (path.startsWith(`/${segment}/`)) inner.set(path.slice(segment.length + 1), body);
  }
  return inner;
}

/** A mistyped path would otherwise take a field out of search without a word. */
function refuseStray(bodies: Bodies, segments: readonly string[]): void {
  for (const [path, { origin }] of bodies) {
    const segment = path.split('/')[1] ?? '';
    if (segments.includes(segment)) continue;
    throw errorAt(
      origin,
      path === ''
        ? '@Searchable: expected a path to a plain value, because a record or union cannot be searched itself'
        : `@Searchable: the path ${path} leads nowhere; expected one of ${segments.join(', ')}`,
    );
  }
}
