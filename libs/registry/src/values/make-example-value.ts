import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/json';
import { readUrnRule } from '../check/urn-check';
import type { AspectType, EntityRegistry, EntityType } from '../model/entity-registry';
import { buildUrn } from './require-entity-type';
import {
  dereferenced,
  type EnumSchema,
  type FieldSchema,
  type RecordSchema,
  type Schema,
} from '../schema/schema';

/** Number of optional fields in an example; without any it would not show the form of the aspect. */
const OPTIONAL_FIELDS_SHOWN = 3;
/** Records that require one another several times multiply; the rest of such an example is empty. */
const MAX_RECORDS = 1_000;
const NEW_YEAR_2026_MS = 1_767_225_600_000;

/** Builds a small valid value of an aspect: its required fields, and a few plain ones. */
export function makeExampleValue(registry: EntityRegistry, { record }: AspectType): JsonObject {
  return new Examples(registry).toRecord(record, OPTIONAL_FIELDS_SHOWN);
}

/** Builds a urn of an entity type; `undefined` when its key has no example. */
export function makeExampleUrn(registry: EntityRegistry, entityType: EntityType): string | undefined {
  return new Examples(registry).makeUrn(entityType.name);
}

class Examples {
  /** Types under construction; a recursive type ends there. */
  private readonly inside = new Set<string>();
  private records = 0;

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

  makeUrn(name: string): string | undefined {
    const entityType = this.registry.entityType(name);
    if (entityType === undefined || this.inside.has(entityType.name)) return undefined;
    this.inside.add(entityType.name);
    const { fields } = entityType.keyAspect.record;
    const key = Object.fromEntries(fields.map((field) => [field.name, this.makeKeyPart(field, entityType)]));
    this.inside.delete(entityType.name);
    const made = buildUrn(this.registry, entityType, key);
    return 'urn' in made ? made.urn : undefined;
  }

  private makeKeyPart(field: FieldSchema, { name }: EntityType): JsonValue {
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
        return chooseSymbol(schema);
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
        return this.makeInnerRecord(schema);
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

  /** Uses the type that the annotations or the field's name suggest; otherwise a person. */
  private urnFor(ruled: readonly string[], { name, annotations }: FieldSchema): string {
    const { UrnValidation: validation, Relationship: relationship } = annotations;
    const wanted = [
      ...ruled,
      ...readEntityTypes(validation),
      ...readEntityTypes(relationship),
      ...guessTypes(name),
    ];
    for (const type of wanted) {
      const urn = this.makeUrn(type);
      if (urn !== undefined) return urn;
    }
    // A typeref may name a type outside the model.
    return `urn:${this.registry.urnNamespace}:${ruled[0] ?? 'corpuser'}:jdoe`;
  }

  private makeInnerRecord(record: RecordSchema): JsonValue {
    if (this.inside.has(record.name) || ++this.records > MAX_RECORDS) return {};
    this.inside.add(record.name);
    const value = this.toRecord(record, 0);
    this.inside.delete(record.name);
    return value;
  }

  private isInside(schema: Schema): boolean {
    return schema.kind === 'record' && this.inside.has(schema.name);
  }
}

/** Names that read better than generated ones. */
const NAMES_OF: Readonly<Record<string, string>> = {
  dataPlatform: 'postgres',
  corpuser: 'jdoe',
  corpGroup: 'data-team',
};

/** Guesses entity types from a field's name. */
function guessTypes(field: string): readonly string[] {
  const name = field.replace(/Urns?$/, '');
  const ofData = `data${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return [
    name,
    name.replace(/s$/, ''),
    ofData,
    ...(/entity|resource|asset|parent/i.test(name) ? ['dataset'] : []),
  ];
}

/** Symbols without a meaning of their own, which make poor examples. */
const MEANINGLESS = /^\W*(?:CUSTOM|UNKNOWN|NONE|OTHER)$/;

function chooseSymbol({ symbols }: EnumSchema): string {
  const usable = symbols.filter(({ deprecated }) => !deprecated);
  const meaningful = usable.filter(({ name }) => !MEANINGLESS.test(name));
  const production = symbols.find(({ name }) => name === 'PROD');
  return (production ?? meaningful[0] ?? usable[0] ?? symbols[0])?.name ?? '';
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

/** Reads the entity types of a urn annotation, at the urn itself or below a path. */
function readEntityTypes(annotation: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(annotation)) return [];
  const { entityTypes } = annotation;
  if (Array.isArray(entityTypes)) return entityTypes.filter((name) => typeof name === 'string');
  return Object.entries(annotation).flatMap(([path, body]) =>
    path.startsWith('/') ? readEntityTypes(body) : [],
  );
}
