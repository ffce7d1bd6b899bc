import type { NamedSyntax, PdlDocument, TypeSyntax, UnionSyntax } from '../pdl/pdl-syntax';
import { readDeclarations, toFullName, resolveName, type Declared, type Scope } from './resolve-names';
import {
  PRIMITIVES,
  dereferenced,
  type FieldSchema,
  type NamedSchema,
  type PrimitiveSchema,
  type RecordSchema,
  type Schema,
  type UnionMember,
} from './schema';
import { errorAt, placeOf, type Origin } from '../pdl/source-file';

/** A schema whose parts are still being filled in. */
type Unfinished<T> = { -readonly [K in keyof T]: T[K] };
/** The includes of each record, until the fields of the included records are known. */
type Includes = Map<
  Unfinished<RecordSchema>,
  readonly { readonly schema: Schema; readonly origin: Origin }[]
>;

const primitives = new Map<string, PrimitiveSchema>(
  PRIMITIVES.map((name) => [name, { kind: 'primitive', name }]),
);

/**
 * Resolves the files of a model to schemas by full name. Every declaration first gets an empty schema, so references
 * in cycles find it; then each is filled, and included fields come first.
 *
 * **Errors**: `InvalidModelError` for an undeclared name, a name declared twice, a field or union member that occurs
 * twice, and for typerefs and includes that lead back to themselves.
 */
export function resolveSchemas(
  documents: readonly PdlDocument[],
  rename: (name: string) => string,
): ReadonlyMap<string, NamedSchema> {
  const declarations = readDeclarations(documents);
  const schemas = new Map<string, NamedSchema>();
  for (const declared of declarations.values()) schemas.set(declared.name, emptySchema(declared, rename));
  const resolver = new Resolver(schemas);
  for (const declared of declarations.values()) resolver.fill(declared);
  resolver.checkTyperefs();
  resolver.checkMapKeys();
  resolver.includeFields();
  resolver.checkUnions();
  return new Map([...schemas.values()].map((schema) => [schema.name, schema]));
}

function emptySchema({ name, syntax, origin }: Declared, rename: (name: string) => string): NamedSchema {
  const named = { name: rename(name), doc: syntax.doc, annotations: syntax.annotations, origin };
  switch (syntax.kind) {
    case 'record':
      return { kind: 'record', ...named, fields: [] };
    case 'enum':
      return { kind: 'enum', ...named, symbols: listSymbols(syntax, origin) };
    case 'typeref':
      return { kind: 'typeref', ...named, ref: { kind: 'primitive', name: 'null' } };
    case 'fixed':
      return { kind: 'fixed', ...named, size: syntax.size };
  }
}

function listSymbols(syntax: NamedSyntax & { kind: 'enum' }, { source }: Origin) {
  const seen = new Set<string>();
  return syntax.symbols.map(({ name, doc, annotations, at }) => {
    if (seen.has(name)) throw source.error(at, `the symbol ${name} occurs twice in ${syntax.name}`);
    seen.add(name);
    return { name, doc, annotations, deprecated: Object.hasOwn(annotations, 'deprecated') };
  });
}

class Resolver {
  private readonly includes: Includes = new Map();
  private readonly mapKeys: { readonly schema: Schema; readonly origin: Origin }[] = [];
  private readonly unions: { members: UnionMember[]; syntax: UnionSyntax; scope: Scope }[] = [];

  constructor(private readonly schemas: ReadonlyMap<string, NamedSchema>) {}

  fill({ name, syntax, scope }: Declared): void {
    const schema = this.schemas.get(name);
    if (syntax.kind === 'typeref' && schema?.kind === 'typeref') {
      (schema as Unfinished<typeof schema>).ref = this.toSchema(syntax.ref, scope);
    }
    if (syntax.kind !== 'record' || schema?.kind !== 'record') return;
    const record: Unfinished<RecordSchema> = schema;
    const { source } = scope.document;
    record.fields = syntax.fields.map(({ type, at, ...field }) => ({
      ...field,
      type: this.toSchema(type, scope),
      origin: { source, at },
    }));
    const included = syntax.includes.map((type) => ({
      schema: this.toSchema(type, scope),
      origin: { source, at: type.at },
    }));
    this.includes.set(record, included);
  }

  checkTyperefs(): void {
    for (const schema of this.schemas.values()) {
      const seen = new Set<Schema>();
      for (let type: Schema = schema; type.kind === 'typeref'; type = type.ref) {
        if (seen.has(type)) throw errorAt(schema.origin, `the typeref ${schema.name} leads back to itself`);
        seen.add(type);
      }
    }
  }

  checkMapKeys(): void {
    for (const { schema, origin } of this.mapKeys) {
      const keys = dereferenced(schema);
      if (keys.kind !== 'primitive' || keys.name !== 'string') {
        throw errorAt(origin, 'expected string: the keys of a map are strings');
      }
    }
  }

  includeFields(): void {
    const done = new Set<RecordSchema>();
    const under = new Set<RecordSchema>();
    const include = (record: Unfinished<RecordSchema>): void => {
      if (done.has(record)) return;
      if (under.has(record)) throw errorAt(record.origin, `the record ${record.name} includes itself`);
      under.add(record);
      const fields: FieldSchema[] = [];
      for (const { schema, origin } of this.includes.get(record) ?? []) {
        const included = dereferenced(schema);
        if (included.kind !== 'record') throw errorAt(origin, 'only records can be included');
        include(included);
        fields.push(...included.fields);
      }
      record.fields = rejectRepeats(record, [...fields, ...record.fields]);
      under.delete(record);
      done.add(record);
    };
    for (const record of this.includes.keys()) include(record);
  }

  /** A member's key depends on its typerefs, so keys are compared after all typerefs are resolved. */
  checkUnions(): void {
    for (const { members, syntax, scope } of this.unions) {
      const { source } = scope.document;
      const places = new Map<string, number>();
      for (const { alias, type, at, annotations } of syntax.members) {
        const schema = this.toSchema(type, scope);
        const key = alias ?? readKey(schema);
        if (key === undefined) throw source.error(at, 'a union inside a union needs an alias');
        const other = places.get(key);
        if (other !== undefined) {
          throw source.error(at, `the union has two members ${key}, the first at ${source.place(other)}`);
        }
        places.set(key, at);
        members.push({ key, aliased: alias !== undefined, type: schema, annotations });
      }
    }
  }

  private toSchema(type: TypeSyntax, scope: Scope): Schema {
    switch (type.kind) {
      case 'reference':
        return this.referenced(type.name, { source: scope.document.source, at: type.at }, scope);
      case 'array':
        return { kind: 'array', items: this.toSchema(type.items, scope) };
      case 'map':
        this.mapKeys.push({
          schema: this.toSchema(type.keys, scope),
          origin: { source: scope.document.source, at: type.keys.at },
        });
        return { kind: 'map', values: this.toSchema(type.values, scope) };
      case 'union': {
        const members: UnionMember[] = [];
        this.unions.push({ members, syntax: type, scope });
        return { kind: 'union', members };
      }
      default:
        return this.declared(toFullName(type, scope), { source: scope.document.source, at: type.at });
    }
  }

  private referenced(name: string, origin: Origin, scope: Scope): Schema {
    return primitives.get(name) ?? this.declared(resolveName(name, scope), origin);
  }

  private declared(name: string, origin: Origin): NamedSchema {
    const schema = this.schemas.get(name);
    if (schema === undefined) throw errorAt(origin, `expected a type, but nothing declares ${name}`);
    return schema;
  }
}

function rejectRepeats(record: RecordSchema, fields: readonly FieldSchema[]): readonly FieldSchema[] {
  const byName = new Map<string, FieldSchema>();
  for (const field of fields) {
    const other = byName.get(field.name);
    if (other !== undefined) {
      throw errorAt(
        field.origin,
        `the field ${field.name} occurs twice in ${record.name}, first at ${placeOf(other.origin)}`,
      );
    }
    byName.set(field.name, field);
  }
  return fields;
}

function readKey(schema: Schema): string | undefined {
  const type = dereferenced(schema);
  if (type.kind === 'union') return undefined;
  return 'name' in type ? type.name : type.kind;
}
