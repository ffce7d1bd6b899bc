import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/model';
import { readUrnRule } from '../check/urn-check';
import type { AspectType, EntityRegistry, EntityType } from '../model/entity-registry';
import { urnOf } from './require-entity-type';
import {
  dereferenced,
  type EnumSchema,
  type FieldSchema,
  type RecordSchema,
  type Schema,
} from '../schema/schema';

/** So many fields that may be absent are shown of an aspect; one without any would teach nobody its form. */
const OPTIONAL_FIELDS_SHOWN = 3;
const NEW_YEAR_2026_MS = 1_767_225_600_000;

/** A small value that an aspect takes: what it requires, and a few plain fields besides. */
export function makeExampleValue(registry: EntityRegistry, { record }: AspectType): JsonObject {
  return new Examples(registry).toRecord(record, OPTIONAL_FIELDS_SHOWN);
}

/** A urn of an entity type, or `undefined` when none can be made up from its key. */
export function makeExampleUrn(registry: EntityRegistry, entityType: EntityType): string | undefined {
  return new Examples(registry).urnOf(entityType.name);
}

class Examples {
  /** Types that are being made up; a type inside itself ends there. */
  private readonly inside = new Set<string>();

  constructor(private readonly registry: EntityRegistry) {}

  toRecord(record: RecordSchema, extra: number): JsonObject {
    const required = record.fields.filter((field) => !field.optional && field.default === undefined);
    const others = record.fields.filter((field) => !required.includes(field) && isPlain(field));
    const shown = new Set([...required, ...others.slice(0, Math.max(0, extra - required.length))]);
    const members = record.fields
      .filter((field) => shown.has(field))
      .map((field): [string, JsonValue] => [field.name, this.valueOf(field.type, field)]);
    return Object.fromEntries(members);
  }

  urnOf(name: string): string | undefined {
    const entityType = this.registry.entityType(name);
    if (entityType === undefined || this.inside.has(entityType.name)) return undefined;
    this.inside.add(entityType.name);
    const { fields } = entityType.keyAspect.record;
    const key = Object.fromEntries(fields.map((field) => [field.name, this.keyPartOf(field, entityType)]));
    this.inside.delete(entityType.name);
    const made = urnOf(this.registry, entityType, key);
    return 'urn' in made ? made.urn : undefined;
  }

  private keyPartOf(field: FieldSchema, { name }: EntityType): JsonValue {
    const target = dereferenced(field.type);
    const isText = field.type.kind === 'primitive' && target.kind === 'primitive' && target.name === 'string';
    const isUrn =
      field.annotations.Relationship !== undefined || field.annotations.UrnValidation !== undefined;
    if (!isText || isUrn) return this.valueOf(field.type, field);
    return (
      NAMES_OF[name] ??
      (field.name === 'name' || field.name === 'id' ? `example-${name}` : `example-${field.name}`)
    );
  }

  private valueOf(schema: Schema, field: FieldSchema): JsonValue {
    switch (schema.kind) {
      case 'primitive':
        return makePlainValue(schema.name, field);
      case 'enum':
        return symbolOf(schema);
      case 'fixed':
        return 'x'.repeat(schema.size);
      case 'array':
        return this.isInside(schema.items) ? [] : [this.valueOf(schema.items, field)];
      case 'map':
        return this.isInside(schema.values) ? {} : { key: this.valueOf(schema.values, field) };
      case 'union':
        return this.toUnion(schema.members, field);
      case 'typeref': {
        const rule = readUrnRule(schema);
        return rule === undefined ? this.valueOf(schema.ref, field) : this.urnFor(rule.entityTypes, field);
      }
      case 'record':
        return this.innerRecordOf(schema);
    }
  }

  private toUnion(
    members: readonly { readonly key: string; readonly type: Schema }[],
    field: FieldSchema,
  ): JsonValue {
    const member = members.find(({ key }) => key !== 'null');
    if (member === undefined) return null;
    return { [member.key]: this.valueOf(member.type, field) };
  }

  /** Of the type that the place asks for, or that its name speaks of; where any will do, a person. */
  private urnFor(ruled: readonly string[], { name, annotations }: FieldSchema): string {
    const { UrnValidation: validation, Relationship: relationship } = annotations;
    const wanted = [
      ...ruled,
      ...namedTypesIn(validation),
      ...namedTypesIn(relationship),
      ...typesNamedBy(name),
    ];
    for (const type of wanted) {
      const urn = this.urnOf(type);
      if (urn !== undefined) return urn;
    }
    // A typeref may name a type that is no entity of the model.
    return `urn:${this.registry.urnNamespace}:${ruled[0] ?? 'corpuser'}:jdoe`;
  }

  private innerRecordOf(record: RecordSchema): JsonValue {
    if (this.inside.has(record.name)) return {};
    this.inside.add(record.name);
    const value = this.toRecord(record, 0);
    this.inside.delete(record.name);
    return value;
  }

  private isInside(schema: Schema): boolean {
    return schema.kind === 'record' && this.inside.has(schema.name);
  }
}

/** Names that read better than made-up ones. */
const NAMES_OF: Readonly<Record<string, string>> = {
  dataPlatform: 'postgres',
  corpuser: 'jdoe',
  corpGroup: 'data-team',
};

/** The entity types that a field may mean when it says nothing but its name. */
function typesNamedBy(field: string): readonly string[] {
  const name = field.replace(/Urns?$/, '');
  const ofData = `data${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return [
    name,
    name.replace(/s$/, ''),
    ofData,
    ...(/entity|resource|asset|parent/i.test(name) ? ['dataset'] : []),
  ];
}

/** Symbols that stand for what has no symbol show nobody how the others look. */
const UNTELLING = /^\W*(?:CUSTOM|UNKNOWN|NONE|OTHER)$/;

function symbolOf({ symbols }: EnumSchema): string {
  const usable = symbols.filter(({ deprecated }) => !deprecated);
  const telling = usable.filter(({ name }) => !UNTELLING.test(name));
  const production = symbols.find(({ name }) => name === 'PROD');
  return (production ?? telling[0] ?? usable[0] ?? symbols[0])?.name ?? '';
}

function isPlain({ type, annotations }: FieldSchema): boolean {
  if (annotations.deprecated !== undefined) return false;
  const { kind } = dereferenced(type);
  return kind === 'primitive' || kind === 'enum';
}

function makePlainValue(type: string, { name }: FieldSchema): JsonValue {
  switch (type) {
    case 'boolean':
      return false;
    case 'int':
      return 1;
    case 'long':
      return /time|millis|date|created|modified|observed|(?:At|On)$/i.test(name) ? NEW_YEAR_2026_MS : 1;
    case 'float':
    case 'double':
      return 0.5;
    case 'null':
      return null;
    default:
      return textFor(name);
  }
}

function textFor(name: string): string {
  if (/ur[il]$/i.test(name)) return 'https://example.org/';
  if (/email/i.test(name)) return 'jdoe@example.org';
  if (/description|definition/i.test(name)) return 'An example';
  return `example ${name}`;
}

/** The entity types that an annotation of a urn names, at the urn itself or below a path. */
function namedTypesIn(annotation: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(annotation)) return [];
  const { entityTypes } = annotation;
  if (Array.isArray(entityTypes)) return entityTypes.filter((name) => typeof name === 'string');
  return Object.entries(annotation).flatMap(([path, body]) =>
    path.startsWith('/') ? namedTypesIn(body) : [],
  );
}
