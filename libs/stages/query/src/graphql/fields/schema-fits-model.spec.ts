import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  Kind,
  getNamedType,
  isEnumType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLObjectType,
} from 'graphql';
import { dereferenced, loadModel, type EntityRegistry, type Schema } from '@stratalog/registry';
import { EntityTypeNames } from '../entity-type-names';
import { buildSchema } from './build-schema';
import { ENTITY_RESOLVERS, FIELD_RESOLVERS } from './field-resolvers';
import { planField } from './plan-fields';

/** Fields that clients ask for and the model has no value for: they are null. */
const WITHOUT_VALUE = new Set<string>([]);

/** Compares the schema with the model: each place that a directive names must be one of the model. */
class Comparison {
  readonly faults: string[] = [];
  private readonly compared = new Set<string>();

  constructor(private readonly registry: EntityRegistry) {}

  entity(type: GraphQLObjectType, entityType: string): void {
    const model = this.registry.entityType(entityType);
    if (model === undefined) return void this.faults.push(`${type.name}: no entity type ${entityType}`);
    for (const field of this.plannedFields(type)) {
      const plan = planField(field);
      const place = `${type.name}.${field.name}`;
      if (plan.isPlatform) continue;
      if (plan.aspectName === undefined) {
        if (plan.fromUrn === undefined && !WITHOUT_VALUE.has(place))
          this.faults.push(`${place}: from nowhere`);
        continue;
      }
      const aspect = model.aspects.get(plan.aspectName);
      if (aspect === undefined) this.faults.push(`${place}: ${entityType} has no ${plan.aspectName}`);
      else this.value(place, field, find(aspect.record, plan.path));
    }
    return undefined;
  }

  private record(type: GraphQLObjectType, model: Schema): void {
    const name = model.kind === 'record' ? model.name : '';
    if (this.compared.has(`${type.name} ${name}`)) return;
    this.compared.add(`${type.name} ${name}`);
    for (const field of this.plannedFields(type)) {
      const plan = planField(field);
      const place = `${type.name}.${field.name}`;
      const found = find(model, plan.path);
      if (found === undefined) {
        const isNone =
          WITHOUT_VALUE.has(place) || (plan.fromUrn !== undefined && plan.path[0] === field.name);
        if (!isNone) this.faults.push(`${place}: ${name} has no ${plan.path.join('/')}`);
        continue;
      }
      if (
        isNonNullType(field.type) &&
        found.optional &&
        plan.fromUrn === undefined &&
        plan.otherwise === undefined
      ) {
        this.faults.push(`${place}: may be absent in ${name}`);
      }
      this.value(place, field, found);
    }
  }

  private value(
    place: string,
    field: GraphQLField<unknown, unknown>,
    found: { readonly type: Schema } | undefined,
  ): void {
    if (found === undefined) return void this.faults.push(`${place}: no such place in the aspect`);
    const type = getNamedType(field.type);
    let model = dereferenced(found.type);
    while (model.kind === 'array') model = dereferenced(model.items);
    if (isEnumType(type)) {
      const symbols = model.kind === 'enum' ? model.symbols.map(({ name }) => name) : [];
      const absent = symbols.filter((symbol) => type.getValue(symbol) === undefined);
      if (absent.length > 0) this.faults.push(`${place}: ${type.name} lacks ${absent.join(', ')}`);
    }
    if (!isObjectType(type) || type.getInterfaces().length > 0 || model.kind === 'map') return undefined;
    this.record(type, model);
    return undefined;
  }

  private plannedFields(type: GraphQLObjectType): readonly GraphQLField<unknown, unknown>[] {
    return Object.values(type.getFields()).filter(
      ({ name }) =>
        FIELD_RESOLVERS[`${type.name}.${name}`] === undefined &&
        (type.getInterfaces().length === 0 || ENTITY_RESOLVERS[name] === undefined),
    );
  }
}

/** Finds the type at a place in a record, and whether a value may lack it. */
function find(
  schema: Schema,
  path: readonly string[],
): { readonly type: Schema; readonly optional: boolean } | undefined {
  let type: Schema = schema;
  let optional = false;
  for (const name of path) {
    const within = dereferenced(type);
    if (within.kind === 'array') {
      type = within.items;
      optional = true;
      continue;
    }
    const field = within.kind === 'record' ? within.fields.find((each) => each.name === name) : undefined;
    if (field === undefined) return undefined;
    type = field.type;
    // A default is never filled in.
    optional ||= field.optional || field.default !== undefined;
  }
  return { type, optional };
}

describe('the GraphQL schema', () => {
  let registry: EntityRegistry;

  beforeAll(async () => {
    registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../../../models')] });
  });

  it('takes its values from places of the model, and promises none that may be absent', () => {
    const schema = buildSchema(new EntityTypeNames(registry));
    const comparison = new Comparison(registry);
    for (const type of Object.values(schema.getTypeMap())) {
      if (!isObjectType(type)) continue;
      const [directive] = type.astNode?.directives?.filter(({ name }) => name.value === 'entity') ?? [];
      const value = directive?.arguments?.[0]?.value;
      if (value?.kind === Kind.STRING) comparison.entity(type, value.value);
    }
    expect(comparison.faults).toEqual([]);
  });
});
