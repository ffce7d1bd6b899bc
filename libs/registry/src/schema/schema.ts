import type { JsonObject, JsonValue } from '@stratalog/json';
import type { Origin } from '../pdl/source-file';

/** A type of the model with resolved names; records may refer to each other in cycles. */
export type Schema = PrimitiveSchema | ArraySchema | MapSchema | UnionSchema | NamedSchema;
export type NamedSchema = RecordSchema | EnumSchema | TyperefSchema | FixedSchema;

export const PRIMITIVES = ['boolean', 'int', 'long', 'float', 'double', 'string', 'bytes', 'null'] as const;
export type Primitive = (typeof PRIMITIVES)[number];

export interface PrimitiveSchema {
  readonly kind: 'primitive';
  readonly name: Primitive;
}

interface ArraySchema {
  readonly kind: 'array';
  readonly items: Schema;
}

/** A map with string keys. */
interface MapSchema {
  readonly kind: 'map';
  readonly values: Schema;
}

export interface UnionSchema {
  readonly kind: 'union';
  readonly members: readonly UnionMember[];
}

export interface UnionMember {
  /** Member name in JSON: the alias, else the full name or primitive behind the type. */
  readonly key: string;
  readonly aliased: boolean;
  readonly type: Schema;
  readonly annotations: JsonObject;
}

interface Named {
  /** Full name, e.g. `com.linkedin.common.Ownership`. */
  readonly name: string;
  readonly doc: string;
  /** As written, including unknown annotations. */
  readonly annotations: JsonObject;
  readonly origin: Origin;
}

export interface RecordSchema extends Named {
  readonly kind: 'record';
  /** Fields of the included records first, in order, then the record's own. */
  readonly fields: readonly FieldSchema[];
}

export interface FieldSchema {
  readonly name: string;
  readonly doc: string;
  readonly type: Schema;
  readonly optional: boolean;
  /** A field with a default may be absent; the default is never filled in. */
  readonly default?: JsonValue;
  readonly annotations: JsonObject;
  readonly origin: Origin;
}

export interface EnumSchema extends Named {
  readonly kind: 'enum';
  readonly symbols: readonly EnumSymbol[];
}

interface EnumSymbol {
  readonly name: string;
  readonly doc: string;
  readonly deprecated: boolean;
  readonly annotations: JsonObject;
}

export interface TyperefSchema extends Named {
  readonly kind: 'typeref';
  readonly ref: Schema;
}

export interface FixedSchema extends Named {
  readonly kind: 'fixed';
  /** **Units**: bytes. */
  readonly size: number;
}

/** Returns the type behind typerefs. */
export function dereferenced(schema: Schema): Exclude<Schema, TyperefSchema> {
  let type = schema;
  while (type.kind === 'typeref') type = type.ref;
  return type;
}
