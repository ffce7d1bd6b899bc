import {
  buildASTSchema,
  isInterfaceType,
  isObjectType,
  isUnionType,
  parse,
  type GraphQLScalarType,
  type GraphQLSchema,
} from 'graphql';
import { entityTypeIn } from '@stratalog/domain';
import type { EntityTypeNames } from '../entity-type-names';
import { SDL } from '../schema';
import { SDL_OF_CHANGES } from '../schema-of-changes';
import { counted } from './counted';
import { planField } from './plan-fields';
import { resolveByPlan } from './resolve-field';
import { ENTITY_RESOLVERS, FIELD_RESOLVERS, type Resolver } from './field-resolvers';
import { LONG } from './long';
import { EntityRef } from './values';

/** The object type for entities of types without one of their own. */
const GENERIC = 'GenericEntity';

/** Builds the schema with the entity types of a model. */
export function buildSchema(names: EntityTypeNames): GraphQLSchema {
  const values = names.all.filter((name) => name !== 'OTHER');
  const text = `${SDL}${SDL_OF_CHANGES}\nextend enum EntityType { ${values.join(' ')} }`;
  // The directives are ours alone, and not declared.
  const schema = buildASTSchema(parse(text, { noLocation: true }), { assumeValidSDL: true });
  Object.assign(schema.getType('Long') as GraphQLScalarType, LONG);
  const objectTypes = new Map<string, string>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    const entityType = readEntityType(type.astNode?.directives ?? []);
    if (entityType !== undefined) objectTypes.set(entityType, type.name);
    for (const field of Object.values(type.getFields())) {
      const own =
        FIELD_RESOLVERS[`${type.name}.${field.name}`] ??
        (type.getInterfaces().length > 0 ? ENTITY_RESOLVERS[field.name] : undefined);
      field.resolve = counted(own ?? byPlan(field), field);
    }
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isInterfaceType(type) && !isUnionType(type)) continue;
    type.resolveType = (value: unknown) =>
      value instanceof EntityRef
        ? (objectTypes.get(entityTypeIn(value.urn)) ?? GENERIC)
        : (value as { readonly __typename: string }).__typename;
  }
  return schema;
}

function byPlan(field: Parameters<typeof planField>[0]): Resolver {
  const plan = planField(field);
  return (source, _given, scope) => resolveByPlan(plan, source, scope);
}

function readEntityType(
  directives: readonly {
    readonly name: { readonly value: string };
    readonly arguments?: readonly unknown[];
  }[],
): string | undefined {
  const directive = directives.find(({ name }) => name.value === 'entity');
  const [argument] = directive?.arguments ?? [];
  return (argument as { readonly value: { readonly value: string } } | undefined)?.value.value;
}
