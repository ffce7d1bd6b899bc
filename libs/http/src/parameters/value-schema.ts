import type { JsonOutput } from '@stratalog/json';
import * as z from 'zod';

type ValueType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null';

/**
 * The schema of a parameter, a body or an answer: the part of JSON Schema 2020-12 that documentation needs.
 */
export interface ValueSchema {
  /** Several: a value of any of these types. */
  readonly type?: ValueType | readonly ValueType[];
  readonly description?: string;
  /** `date-time`, `int64`: notes for readers. */
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly default?: JsonOutput;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  /** False: no members except the named ones. A schema: the values of all other members. */
  readonly additionalProperties?: ValueSchema | boolean;
  readonly items?: ValueSchema;
  readonly maxItems?: number;
  readonly anyOf?: readonly ValueSchema[];
  readonly deprecated?: boolean;
}

/** Describes what a schema of parameters accepts, or an answer has, with the descriptions and defaults of its members. */
export function describeSchema(schema: z.ZodType): ValueSchema {
  const described = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // Documentation shows the type of a map's values; their names are always texts.
      delete jsonSchema.propertyNames;
      for (const name of ['properties', 'required'] as const) {
        if (Object.keys(jsonSchema[name] ?? {}).length === 0) Reflect.deleteProperty(jsonSchema, name);
      }
      // zod adds the safe range of a double to each whole number.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // zod leaves out the default of a value that it converts.
      const fallback = readDefault(zodSchema);
      if (fallback !== undefined) Object.assign(jsonSchema, { default: fallback });
    },
  });
  delete described.$schema;
  return described as ValueSchema;
}

function readDefault(schema: z.core.$ZodType): unknown {
  const { def } = schema._zod;
  return def.type === 'default'
    ? (def as z.core.$ZodDefaultDef).defaultValue
    : z.globalRegistry.get(schema)?.default;
}
