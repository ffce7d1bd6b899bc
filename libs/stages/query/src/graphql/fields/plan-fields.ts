import {
  getNamedType,
  isEnumType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isUnionType,
  valueFromASTUntyped,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
} from 'graphql';
import { parseUrn } from '@stratalog/domain';
import { isJsonObject, parseJson, stringifyJson, type JsonValue } from '@stratalog/json';
import { AspectPart, EntityRef } from './values';

/** Where the value of a field comes from; computed once, from the directives of the schema. */
export interface FieldPlan {
  /** For a field of an entity: the aspect to read. */
  readonly aspectName?: string;
  /** The place in the aspect, or in the enclosing value. */
  readonly path: readonly string[];
  /** The value where there is none in the store: a part of the urn of the entity. */
  readonly fromUrn?: (urn: string) => string | undefined;
  /** The value where the store and the urn have none: that of the model. */
  readonly otherwise?: JsonValue;
  /** The value is the platform of the entity. */
  readonly isPlatform: boolean;
  /** Makes of a stored value what the fields of its type resolve from. */
  readonly toAnswer: (value: JsonValue, owner: EntityRef) => unknown;
}

/** The object types with the members of a map, one entry each. */
const ENTRIES: ReadonlySet<string> = new Set(['CustomPropertiesEntry', 'StringMapEntry']);

export function planField(field: GraphQLField<unknown, unknown>): FieldPlan {
  const directives = readDirectives(field);
  const { aspect, member, key, default: fallback } = directives;
  const path = aspect === undefined ? (member?.path ?? field.name) : aspect.path;
  return {
    ...(aspect?.name === undefined ? {} : { aspectName: aspect.name }),
    path: path === undefined ? [] : path.split('.'),
    ...(key === undefined ? {} : { fromUrn: (urn: string) => partOf(urn, Number(key.part), key.after) }),
    ...(fallback?.json === undefined ? {} : { otherwise: parseJson(fallback.json) }),
    isPlatform: directives.platform !== undefined,
    toAnswer: shapeOf(field.type),
  };
}

type Directives = Partial<Record<string, Partial<Record<string, string>>>>;

function readDirectives({ astNode }: GraphQLField<unknown, unknown>): Directives {
  return Object.fromEntries(
    (astNode?.directives ?? []).map((directive) => {
      const given = (directive.arguments ?? []).map((argument) => {
        return [argument.name.value, String(valueFromASTUntyped(argument.value))] as const;
      });
      return [directive.name.value, Object.fromEntries(given)];
    }),
  );
}

/** Returns a part of the id of a urn, with `after` what follows its last occurrence. Clients know columns without escapes. */
function partOf(urn: string, part: number, after: string | undefined): string | undefined {
  const parsed = parseUrn(urn);
  const found = 'urn' in parsed ? parsed.urn.parts[part] : undefined;
  return after === undefined ? found : found?.slice(found.lastIndexOf(after) + 1);
}

type Shape = FieldPlan['toAnswer'];

/** A stored value that a type does not fit is no value: the model may allow more than the schema. */
function shapeOf(type: GraphQLOutputType): Shape {
  if (isNonNullType(type)) return shapeOf(type.ofType);
  if (isListType(type)) return shapeOfList(getNamedType(type), shapeOf(type.ofType));
  if (leadsToEntity(type)) {
    return (value) => (typeof value === 'string' && value !== '' ? new EntityRef(value) : undefined);
  }
  if (isEnumType(type)) {
    return (value) => (typeof value === 'string' ? type.getValue(value)?.name : undefined);
  }
  if (isScalarType(type)) return SCALARS[type.name] ?? ((value) => value);
  return (value, owner) => (isJsonObject(value) ? new AspectPart(owner, value) : undefined);
}

function shapeOfList(type: GraphQLNamedType, ofElement: Shape): Shape {
  return (value, owner) => {
    const elements =
      ENTRIES.has(type.name) && isJsonObject(value)
        ? Object.entries(value).map(([key, each]) => ({ key, value: each }))
        : value;
    if (!Array.isArray(elements)) return undefined;
    return elements.map((each) => ofElement(each, owner)).filter((each) => each !== undefined);
  };
}

const SCALARS: Readonly<Record<string, Shape>> = {
  String: (value) => (typeof value === 'string' ? value : value === null ? undefined : stringifyJson(value)),
  Int: (value) => (typeof value === 'bigint' ? Number(value) : value),
  Float: (value) => (typeof value === 'bigint' ? Number(value) : value),
};

/** True when a value of the type is the urn of an entity. */
function leadsToEntity(type: GraphQLOutputType): boolean {
  if (isInterfaceType(type)) return type.name === 'Entity';
  if (isUnionType(type)) return type.getTypes().every(leadsToEntity);
  return isObjectType(type) && type.getInterfaces().some(leadsToEntity);
}
