import type { JsonValue } from '@stratalog/json';
import { findAnnotatedPlaces, stepTo, type AnnotatedPlace } from './annotated-places';
import type { ModelWarnings, OptionNames } from './model-warnings';
import type { Step } from './place';
import { dereferenced, type RecordSchema, type Schema } from '../schema/schema';
import { errorAt } from '../pdl/source-file';

/** A place inside an aspect whose urns are the ends of relationships. */
export interface RelationshipPath {
  /** Field names from the aspect down; `*` is each element, `$key` each key of a map. */
  readonly path: string;
  readonly steps: readonly Step[];
  /** Name of the relationship, e.g. `OwnedBy`. */
  readonly name: string;
  /** Entity types of the other end; empty: any type. */
  readonly entityTypes: readonly string[];
  readonly isLineage: boolean;
  /** For lineage: true when the other end lies upstream of the entity. */
  readonly isUpstream: boolean;
  /** Paths, from the aspect down, of the edge's own values. */
  readonly facts: Readonly<Partial<Record<EdgeFact, readonly Step[]>>>;
}

const EDGE_FACTS = ['createdOn', 'createdActor', 'updatedOn', 'updatedActor', 'properties', 'via'] as const;
export type EdgeFact = (typeof EDGE_FACTS)[number];

const OPTIONS: OptionNames = {
  effective: new Set(['name', 'entityTypes', 'isLineage', 'isUpstream', ...EDGE_FACTS]),
};

/**
 * Reads the `@Relationship` annotations of an aspect, in the order of its fields.
 *
 * **Errors**: `InvalidModelError` for a place without text, a relationship without a name, and options of the wrong
 * type.
 *
 * **Source**: `models/README.md`, Read a file; `docs/what/edge.md`.
 */
export function readRelationshipPaths(
  record: RecordSchema,
  rename: (name: string) => string,
  warnings: ModelWarnings,
): readonly RelationshipPath[] {
  const places = findAnnotatedPlaces(record, { annotation: 'Relationship', rename, maps: 'entries' });
  return places.map((place) => {
    const { path, steps, options, origin, type } = place;
    warnings.options('Relationship', options, OPTIONS, origin);
    const { name } = options;
    if (typeof name !== 'string' || name === '') throw errorAt(origin, '@Relationship: expected a name');
    if (type.kind !== 'primitive' || type.name !== 'string') {
      throw errorAt(origin, `@Relationship: ${name} must stand at a urn, but ${path} is none`);
    }
    return {
      path,
      steps,
      name,
      entityTypes: readEntityTypes(place),
      isLineage: readFlag(place, 'isLineage') ?? false,
      isUpstream: readFlag(place, 'isUpstream') ?? true,
      facts: resolveFacts(record, place, warnings),
    };
  });
}

function readEntityTypes({ options, origin }: AnnotatedPlace): readonly string[] {
  const { entityTypes = [] } = options;
  const isText = (type: JsonValue): type is string => typeof type === 'string';
  if (Array.isArray(entityTypes) && entityTypes.every(isText)) return entityTypes;
  throw errorAt(origin, '@Relationship: expected entityTypes to be a list of names');
}

function readFlag({ options, origin }: AnnotatedPlace, option: string): boolean | undefined {
  const value = options[option];
  if (value === undefined || typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw errorAt(origin, `@Relationship: expected ${option} to be true or false`);
}

/**
 * Resolves the paths of an edge's own values. Paths start at the aspect, wherever the annotation is. A record that
 * several aspects contain can name a path of only one of them, so a path that leads nowhere is warned of and left
 * out.
 */
function resolveFacts(
  record: RecordSchema,
  { options, origin }: AnnotatedPlace,
  warnings: ModelWarnings,
): RelationshipPath['facts'] {
  const facts: Partial<Record<EdgeFact, readonly Step[]>> = {};
  for (const fact of EDGE_FACTS) {
    const path = options[fact];
    if (path === undefined) continue;
    if (typeof path !== 'string') throw errorAt(origin, `@Relationship: expected ${fact} to be a path`);
    const steps = resolveSteps(
      record,
      path.split('/').filter((name) => name !== ''),
    );
    if (steps === undefined) {
      warnings.warn(`@Relationship: the path ${path} of ${fact} leads nowhere in ${record.name}`, origin);
    } else {
      facts[fact] = steps;
    }
  }
  return facts;
}

function resolveSteps(record: RecordSchema, names: readonly string[]): readonly Step[] | undefined {
  const steps: Step[] = [];
  let type: Schema = record;
  for (const name of names) {
    const inner = dereferenced(type);
    if (inner.kind === 'record') {
      const field = inner.fields.find((candidate) => candidate.name === name);
      if (field === undefined) return undefined;
      steps.push(stepTo(field));
      type = field.type;
      continue;
    }
    const next = typeBelow(inner, name);
    if (next === undefined) return undefined;
    steps.push({ name });
    type = next;
  }
  return steps;
}

function typeBelow(type: Schema, name: string): Schema | undefined {
  if (type.kind === 'array') return name === '*' ? type.items : undefined;
  if (type.kind === 'map') return name === '*' ? type.values : undefined;
  if (type.kind === 'union') return type.members.find(({ key }) => key === name)?.type;
  return undefined;
}
