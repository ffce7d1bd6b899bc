import { readUrnRule } from '../check/urn-check';
import type { EntityRegistry } from '../model/entity-registry';
import type { RecordSchema, Schema } from '../schema/schema';

/** What of a model decides which values fit it: plain JSON, small enough to be kept beside the values. */
export interface ModelShape {
  readonly urnNamespace: string;
  readonly entities: Readonly<Record<string, EntityShape>>;
  readonly aspects: Readonly<Record<string, AspectShape>>;
  /** By full name: those that an aspect holds. */
  readonly records: Readonly<Record<string, Readonly<Record<string, FieldShape>>>>;
  readonly enums: Readonly<Record<string, readonly string[]>>;
}

export interface EntityShape {
  readonly keyAspect: string;
  /** The key's fields in the order of the urn's parts. */
  readonly keyParts: readonly string[];
  readonly aspects: readonly string[];
}

export interface AspectShape {
  readonly kind: 'versioned' | 'timeseries';
  readonly record: string;
}

export interface FieldShape {
  readonly type: TypeShape;
  readonly isRequired: boolean;
}

/** A primitive, `fixed 16`, `urn`, `urn dataset`, the full name of a record or enum, or what is made of those. */
export type TypeShape =
  | string
  | { readonly array: TypeShape }
  | { readonly map: TypeShape }
  | { readonly union: Readonly<Record<string, TypeShape>> };

/** The shape of a model: docs, annotations and the layout of files are no part of it. */
export function toModelShape({ urnNamespace, entityTypes }: EntityRegistry): ModelShape {
  const types = new ReachedTypes();
  const aspects: Record<string, AspectShape> = {};
  const entities: Record<string, EntityShape> = {};
  for (const entityType of entityTypes) {
    for (const { name, kind, record } of entityType.aspects.values()) {
      types.reach(record);
      aspects[name] = { kind, record: record.name };
    }
    entities[entityType.name] = {
      keyAspect: entityType.keyAspect.name,
      keyParts: entityType.keyAspect.record.fields.map(({ name }) => name),
      aspects: [...entityType.aspects.keys()],
    };
  }
  return { urnNamespace, entities, aspects, records: types.records, enums: types.enums };
}

class ReachedTypes {
  readonly records: Record<string, Record<string, FieldShape>> = {};
  readonly enums: Record<string, readonly string[]> = {};

  reach(record: RecordSchema): void {
    if (this.records[record.name] !== undefined) return;
    const fields: Record<string, FieldShape> = {};
    // Known before its fields are, so that a record inside itself ends.
    this.records[record.name] = fields;
    for (const { name, type, optional, default: fallback } of record.fields) {
      fields[name] = { type: this.shapeOf(type), isRequired: !optional && fallback === undefined };
    }
  }

  private shapeOf(type: Schema): TypeShape {
    switch (type.kind) {
      case 'primitive':
        return type.name;
      case 'fixed':
        return `fixed ${String(type.size)}`;
      case 'array':
        return { array: this.shapeOf(type.items) };
      case 'map':
        return { map: this.shapeOf(type.values) };
      case 'union':
        return {
          union: Object.fromEntries(type.members.map(({ key, type: member }) => [key, this.shapeOf(member)])),
        };
      case 'enum':
        this.enums[type.name] = type.symbols.map(({ name }) => name);
        return type.name;
      case 'record':
        this.reach(type);
        return type.name;
      case 'typeref': {
        const rule = readUrnRule(type);
        return rule === undefined ? this.shapeOf(type.ref) : ['urn', ...rule.entityTypes].join(' ');
      }
    }
  }
}
