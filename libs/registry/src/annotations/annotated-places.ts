import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/json';
import {
  dereferenced,
  type FieldSchema,
  type RecordSchema,
  type Schema,
  type TyperefSchema,
} from '../schema/schema';
import { errorAt, type Origin } from '../pdl/source-file';
import { annotationsBelow, listRecords } from './annotations-below';
import type { Step } from './place';

/** A place inside an aspect that an annotation describes. */
export interface AnnotatedPlace {
  /**
   * Field names from the aspect down. `*` stands for each element; a full name or primitive stands for a member of a
   * union.
   */
  readonly path: string;
  readonly steps: readonly Step[];
  /** Body of the annotation for this place. */
  readonly options: JsonObject;
  /** Name of the innermost field on the path. */
  readonly fieldName: string;
  /** Type of the value there, behind typerefs. */
  readonly type: Exclude<Schema, TyperefSchema>;
  /** The innermost field. */
  readonly origin: Origin;
}

export interface PlaceOptions {
  /** Name of the annotation, without `@`. */
  readonly annotation: string;
  readonly rename: (name: string) => string;
  /** `whole`: a map is one place. `entries`: its keys (`/$key`) and values (`/*`) are separate places. */
  readonly maps: 'whole' | 'entries';
}

/** Annotation bodies by path below a field; `''` is the field itself. */
type Bodies = ReadonlyMap<string, Body>;
const NOTHING: Bodies = new Map();

interface Body {
  /** `null` disables the annotation of an inner field. */
  readonly options: JsonObject | null;
  /** The field with the annotation. */
  readonly origin: Origin;
}

interface Visited {
  readonly steps: readonly Step[];
  /** The innermost field on the path. */
  readonly field: FieldSchema;
  readonly type: Schema;
  readonly bodies: Bodies;
}

/** State of the walk through one aspect: the places so far, and the enclosing records. */
interface Walk extends PlaceOptions {
  readonly places: AnnotatedPlace[];
  readonly inside: Set<RecordSchema>;
  /** Number of paths that the walk has followed. */
  paths: number;
}

/**
 * Most paths of one aspect that lead to an annotation. Records that contain one another several times multiply: 12 of them with 8 fields
 * each have billions of paths, and each would be a field of the index. The shipped model has at most some hundred in an aspect.
 */
const MAX_PATHS = 20_000;

/**
 * Finds the places of an aspect that an annotation describes, in the order of its fields. An outer field's annotation
 * with paths replaces the annotations of the types below at exactly those paths.
 *
 * **Errors**: `InvalidModelError` for an annotation that is no JSON object, or whose path leads nowhere, and for more than 20,000 paths.
 *
 * **Source**: `models/README.md`, Read a file; `docs/adr/0019-model-is-data.md`.
 */
export function findAnnotatedPlaces(record: RecordSchema, options: PlaceOptions): readonly AnnotatedPlace[] {
  const walk: Walk = { ...options, places: [], inside: new Set(), paths: 0 };
  collectFields(record, [], new Map(), walk);
  return walk.places;
}

/** Formats a path as annotations write it, without the leading slash. */
function formatPath(steps: readonly Step[]): string {
  return steps.map(({ name }) => name).join('/');
}

/** Builds the step to a field, with the field's default. */
export function stepTo({ name, default: fallback }: FieldSchema): Step {
  return fallback === undefined || fallback === null ? { name } : { name, fallback };
}

function collectFields(record: RecordSchema, steps: readonly Step[], outer: Bodies, walk: Walk): void {
  rejectStray(outer, () => record.fields.map(({ name }) => name), walk);
  // Enters a record that contains itself only once.
  if (walk.inside.has(record)) return;
  walk.inside.add(record);
  for (const field of record.fields) {
    const bodies = mergeBodies(field, outer, walk);
    // Skips fields without an annotation. Every start walks hundreds of aspects for each annotation, and most fields are of
    // this kind.
    if (bodies.size === 0 && !leadsTo(field.type, walk.annotation)) continue;
    collect({ steps: [...steps, stepTo(field)], field, type: field.type, bodies }, walk);
  }
  walk.inside.delete(record);
}

/** Merges the annotation of the field with those of outer fields; an outer one takes precedence. */
function mergeBodies(field: FieldSchema, outer: Bodies, walk: Walk): Bodies {
  const own = ownBodies(field, walk);
  return outer.size === 0 ? own : new Map([...own, ...below(outer, field.name)]);
}

/** True when the type holds a record with the annotation, at any depth. */
function leadsTo(type: Schema, annotation: string): boolean {
  return listRecords(type).some((record) => annotationsBelow(record).has(annotation));
}

function collect(visited: Visited, walk: Walk): void {
  const { steps, field, bodies } = visited;
  if (++walk.paths > MAX_PATHS) {
    const reason = `more than ${String(MAX_PATHS)} paths lead to it, one of them /${formatPath(steps)}`;
    throw errorAt(
      field.origin,
      `@${walk.annotation}: ${reason}; records that contain one another several times multiply`,
    );
  }
  const type = dereferenced(visited.type);
  switch (type.kind) {
    case 'record':
      collectFields(type, steps, bodies, walk);
      return;
    case 'array': {
      rejectStray(bodies, () => ['*', ''], walk);
      collect({ steps: [...steps, { name: '*' }], field, type: type.items, bodies: elements(bodies) }, walk);
      return;
    }
    case 'union':
      rejectStray(bodies, () => type.members.map(({ key }) => key), walk);
      for (const { key, type: member } of type.members) {
        collect({ steps: [...steps, { name: key }], field, type: member, bodies: below(bodies, key) }, walk);
      }
      return;
    case 'map':
      if (walk.maps === 'entries') {
        const keys = { kind: 'primitive', name: 'string' } as const;
        collect(
          { steps: [...steps, { name: '$key' }], field, type: keys, bodies: below(bodies, '$key') },
          walk,
        );
        const values = { steps: [...steps, { name: '*' }], field, type: type.values };
        collect({ ...values, bodies: elements(bodies) }, walk);
        return;
      }
      addPlace(visited, type, walk);
      return;
    case 'primitive':
    case 'enum':
    case 'fixed':
      addPlace(visited, type, walk);
  }
}

/** On a plain value any path means the value itself: model files have `/*` on a urn and `/time` on a time. */
function addPlace({ steps, field, bodies }: Visited, type: AnnotatedPlace['type'], walk: Walk): void {
  const options = (bodies.get('') ?? [...bodies.values()].at(-1))?.options ?? null;
  if (options === null) return;
  const path = `/${formatPath(steps)}`;
  walk.places.push({ path, steps, options, fieldName: field.name, type, origin: field.origin });
}

/** Reads the annotation of a field, by path. */
function ownBodies({ origin, annotations }: FieldSchema, { annotation: name, rename }: Walk): Bodies {
  const annotation = annotations[name];
  if (annotation === undefined) return NOTHING;
  if (annotation === true) return new Map([['', { options: {}, origin }]]);
  if (!isJsonObject(annotation)) throw errorAt(origin, `@${name}: expected a JSON object`);
  const entries = Object.entries(annotation);
  if (!entries.some(([key]) => key.startsWith('/'))) return new Map([['', { options: annotation, origin }]]);
  return new Map(
    entries.map(([path, body]) => {
      if (!path.startsWith('/'))
        throw errorAt(origin, `@${name}: expected paths only, found ${path} among them`);
      return [renamePath(path, rename), { options: toOptions(name, path, body, origin), origin }];
    }),
  );
}

function toOptions(annotation: string, path: string, body: JsonValue, origin: Origin): JsonObject | null {
  if (body === null || isJsonObject(body)) return body;
  throw errorAt(origin, `@${annotation}: expected a JSON object for ${path}`);
}

/** Renames the full names of union members in a path to the vendor's names. */
function renamePath(path: string, rename: (name: string) => string): string {
  return path.split('/').map(rename).join('/');
}

/** A body on the array itself describes its elements. */
function elements(bodies: Bodies): Bodies {
  if (bodies.size === 0) return NOTHING;
  return new Map([...[...bodies].filter(([rest]) => rest === ''), ...below(bodies, '*')]);
}

function below(bodies: Bodies, segment: string): Bodies {
  if (bodies.size === 0) return NOTHING;
  const inner = new Map<string, Body>();
  for (const [path, body] of bodies) {
    if (path === `/${segment}`) inner.set('', body);
    else if (path.startsWith(`/${segment}/`)) inner.set(path.slice(segment.length + 1), body);
  }
  return inner;
}

/** Rejects a path that leads nowhere; a mistyped path would otherwise disable an annotation silently. */
function rejectStray(bodies: Bodies, allowed: () => readonly string[], { annotation }: Walk): void {
  if (bodies.size === 0) return;
  const segments = allowed();
  for (const [path, { origin }] of bodies) {
    const segment = path.split('/')[1] ?? '';
    if (segments.includes(segment)) continue;
    throw errorAt(
      origin,
      path === ''
        ? `@${annotation}: expected a path to a plain value, found a record or union`
        : `@${annotation}: the path ${path} leads nowhere; expected one of ${segments.join(', ')}`,
    );
  }
}
