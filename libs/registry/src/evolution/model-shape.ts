import { readUrnRule } from '../check/urn-check';
import type { EntityRegistry } from '../model/entity-registry';
import type { RecordSchema, Schema } from '../schema/schema';

/** The part of a model that decides which values are valid: plain JSON, small enough to store with the values. */
export interface ModelShape {
  readonly urnNamespace: string;
  readonly entities: Readonly<Record<string, EntityShape>>;
  readonly aspects: Readonly<Record<string, AspectShape>>;
  /** Records of aspects, by full name. */
  readonly records: Readonly<Record<string, Readonly<Record<string, FieldShape>>>>;
  readonly enums: Readonly<Record<string, readonly string[]>>;
}

export interface EntityShape {
  readonly keyAspect: string;
  /** Fields of the key, in the order of the urn's parts. */
  readonly keyParts: readonly string[];
  readonly aspects: readonly string[];
}

interface AspectShape {
  readonly kind: 'versioned' | 'timeseries';
  readonly record: string;
}

export interface FieldShape {
  readonly type: TypeShape;
  readonly isRequired: boolean;
}

/** A primitive, `fixed 16`, `urn`, `urn dataset`, the full name of a record or enum, or a collection of those. */
export type TypeShape =
  | string
  | { readonly array: TypeShape }
  | { readonly map: TypeShape }
  | { readonly union: Readonly<Record<string, TypeShape>> };

/** Extracts the shape of a model, without docs, annotations and the layout of files. */
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
    // Registered before its fields, so a recursive record terminates.
    this.records[record.name] = fields;
    for (const { name, type, optional, default: fallback } of record.fields) {
      fields[name] = { type: this.toTypeShape(type), isRequired: !optional && fallback === undefined };
    }
  }

  private toTypeShape(type: Schema): TypeShape {
    switch (type.kind) {
      case 'primitive':
        return type.name;
      case 'fixed':
        return `fixed ${String(type.size)}`;
      case 'array':
        return { array: this.toTypeShape(type.items) };
      case 'map':
        return { map: this.toTypeShape(type.values) };
      case 'union':
        return {
          union: Object.fromEntries(
            type.members.map(({ key, type: member }) => [key, this.toTypeShape(member)]),
          ),
        };
      case 'enum':
        this.enums[type.name] = type.symbols.map(({ name }) => name);
        return type.name;
      case 'record':
        this.reach(type);
        return type.name;
      case 'typeref': {
        const rule = readUrnRule(type);
        return rule === undefined ? this.toTypeShape(type.ref) : ['urn', ...rule.entityTypes].join(' ');
      }
    }
  }
}
