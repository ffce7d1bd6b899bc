import {
  readUrnRule,
  type AspectType,
  type EntityRegistry,
  type EntityType,
  type Schema,
} from '@stratalog/registry';

/** The kind of the values at the end of a path, by the model. */
export type ValueKind = 'text' | 'number' | 'boolean' | 'enum' | 'urn' | 'bytes' | 'record' | 'map' | 'union';

/** Where a path stands: at an entity, which is a urn, or at a part of an aspect. */
export type Position = EntityPosition | ValuePosition;

export interface EntityPosition {
  readonly kind: 'entity';
  /** Possible types; `undefined`: any. */
  readonly types: readonly EntityType[] | undefined;
  /** Number of references that were followed to it. */
  readonly references: number;
}

export interface ValuePosition {
  readonly kind: 'value';
  /** The type without typerefs and lists. */
  readonly schema: Exclude<Schema, { readonly kind: 'typeref' | 'array' }>;
  readonly aspect: AspectType;
  /** Path in the form of the annotations of the aspect: `/owners`, and `/*` for each element. */
  readonly place: string;
  readonly references: number;
}

/** The position of a place in an aspect: of an entity where the model has a urn there. */
export function positionAt(
  registry: EntityRegistry,
  schema: Schema,
  at: Pick<ValuePosition, 'aspect' | 'place' | 'references'>,
): Position {
  let type = schema;
  let { place } = at;
  let urnTypes: readonly string[] | undefined;
  for (;;) {
    if (type.kind === 'typeref') {
      urnTypes = readUrnRule(type)?.entityTypes ?? urnTypes;
      type = type.ref;
    } else if (type.kind === 'array') {
      place = `${place}/*`;
      type = type.items;
    } else {
      break;
    }
  }
  const relationship = at.aspect.relationships.find(({ path }) => path === place);
  if (urnTypes === undefined && relationship === undefined) {
    return { kind: 'value', schema: type, aspect: at.aspect, place, references: at.references };
  }
  const names =
    urnTypes === undefined || urnTypes.length === 0 ? (relationship?.entityTypes ?? []) : urnTypes;
  const types = names.flatMap((name) => registry.entityType(name) ?? []);
  return {
    kind: 'entity',
    types: types.length === 0 ? undefined : types,
    references: at.references + 1,
  };
}

export function kindAt(position: Position): ValueKind {
  if (position.kind === 'entity') return 'urn';
  const { schema } = position;
  switch (schema.kind) {
    case 'primitive':
      return kindOfPrimitive(schema.name);
    case 'fixed':
      return 'bytes';
    default:
      return schema.kind;
  }
}

function kindOfPrimitive(name: string): ValueKind {
  switch (name) {
    case 'boolean':
      return 'boolean';
    case 'string':
    case 'null':
      return 'text';
    case 'bytes':
      return 'bytes';
    default:
      return 'number';
  }
}
