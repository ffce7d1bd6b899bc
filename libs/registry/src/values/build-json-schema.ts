import type { JsonOutputObject } from '@stratalog/json';
import { readUrnRule } from '../check/urn-check';
import type { AspectType } from '../model/entity-registry';
import type { NamedSchema, RecordSchema, Schema } from '../schema/schema';

/**
 * Builds the JSON Schema of an aspect's canonical values, which are stored and read back. It omits other accepted
 * forms: other names of union members, unknown members, nulls for absent members.
 */
export function buildJsonSchema(aspect: AspectType): JsonOutputObject {
  const definitions = new Definitions();
  const root = definitions.referenceTo(aspect.record);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: aspect.name,
    ...root,
    $defs: definitions.all,
  };
}

class Definitions {
  readonly all: Record<string, JsonOutputObject> = {};

  referenceTo(schema: NamedSchema): JsonOutputObject {
    if (this.all[schema.name] === undefined) {
      // Registered before its fields, so a recursive record terminates.
      this.all[schema.name] = {};
      this.all[schema.name] = this.toDefinition(schema);
    }
    return { $ref: `#/$defs/${schema.name}` };
  }

  private toDefinition(schema: NamedSchema): JsonOutputObject {
    const described = schema.doc === '' ? {} : { description: schema.doc };
    switch (schema.kind) {
      case 'record':
        return { ...described, ...this.toRecord(schema) };
      case 'enum':
        return { ...described, enum: schema.symbols.map(({ name }) => name) };
      case 'fixed':
        return { ...described, type: 'string', minLength: schema.size, maxLength: schema.size };
      case 'typeref':
        return { ...described, ...this.toSchema(schema.ref) };
    }
  }

  private toRecord({ fields }: RecordSchema): JsonOutputObject {
    const properties = fields.map(({ name, doc, type, default: fallback }) => [
      name,
      {
        ...(doc === '' ? {} : { description: doc }),
        ...(fallback === undefined ? {} : { default: fallback }),
        ...this.toSchema(type),
      },
    ]);
    const required = fields
      .filter(({ optional, default: fallback }) => !optional && fallback === undefined)
      .map(({ name }) => name);
    return {
      type: 'object',
      properties: Object.fromEntries(properties) as JsonOutputObject,
      ...(required.length === 0 ? {} : { required }),
    };
  }

  private toSchema(schema: Schema): JsonOutputObject {
    switch (schema.kind) {
      case 'primitive':
        return PRIMITIVE_SCHEMAS[schema.name];
      case 'array':
        return { type: 'array', items: this.toSchema(schema.items) };
      case 'map':
        return { type: 'object', additionalProperties: this.toSchema(schema.values) };
      case 'union':
        return {
          oneOf: schema.members.map(({ key, type }) =>
            key === 'null'
              ? { type: 'null' }
              : {
                  type: 'object',
                  properties: { [key]: this.toSchema(type) },
                  required: [key],
                  additionalProperties: false,
                },
          ),
        };
      case 'typeref': {
        const rule = readUrnRule(schema);
        if (rule === undefined) return this.toSchema(schema.ref);
        const type = rule.entityTypes.length === 0 ? '[^:]+' : `(?:${rule.entityTypes.join('|')})`;
        return { type: 'string', pattern: `^urn:[^:]+:${type}:` };
      }
      default:
        return this.referenceTo(schema);
    }
  }
}

const PRIMITIVE_SCHEMAS = {
  boolean: { type: 'boolean' },
  int: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  long: { type: 'integer', format: 'int64' },
  float: { type: 'number' },
  double: { type: 'number' },
  string: { type: 'string' },
  bytes: { type: 'string' },
  null: { type: 'null' },
} as const;
