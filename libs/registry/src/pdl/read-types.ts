import type { JsonObject, JsonValue } from '@stratalog/json';
import type { EnumSymbolSyntax, FieldSyntax, NamedSyntax, TypeSyntax, UnionMemberSyntax } from './pdl-syntax';
import { isWord, type PdlCursor } from './pdl-cursor';
import { readAnnotations, readJsonValue } from './read-annotations';

const DECLARATIONS = ['record', 'enum', 'typeref', 'fixed'] as const;

interface Header {
  readonly doc: string;
  readonly annotations: JsonObject;
}

/** Reads a type: a reference, an array, map or union, or an inline declaration. */
function readType(cursor: PdlCursor): TypeSyntax {
  return cursor.nested(() => {
    const header = readAnnotations(cursor);
    if (DECLARATIONS.some((keyword) => cursor.is(keyword))) return readDeclaration(cursor, header);
    const { at } = cursor.here;
    if (isWord(cursor.next, '[')) {
      if (cursor.skip('array')) return readArray(cursor, at);
      if (cursor.skip('map')) return readMap(cursor, at);
      if (cursor.skip('union')) return readUnion(cursor, at);
    }
    if (cursor.skip('{')) return readScoped(cursor);
    return { kind: 'reference', name: cursor.qualifiedName('a type'), at };
  });
}

/** Reads `record`, `enum`, `typeref` or `fixed`, after its doc comment and annotations. */
export function readDeclaration(cursor: PdlCursor, header: Header): NamedSyntax {
  const keyword = DECLARATIONS.find((candidate) => cursor.is(candidate));
  if (keyword === undefined) throw cursor.unexpected('"record", "enum", "typeref" or "fixed"');
  cursor.take();
  const { at } = cursor.here;
  const named = { name: cursor.qualifiedName(`the name of the ${keyword}`), ...header, at };
  switch (keyword) {
    case 'record': {
      const before = readIncludes(cursor);
      const fields = readFields(cursor);
      return { kind: 'record', ...named, includes: [...before, ...readIncludes(cursor)], fields };
    }
    case 'enum':
      return { kind: 'enum', ...named, symbols: readSymbols(cursor) };
    case 'typeref':
      cursor.expect('=');
      return { kind: 'typeref', ...named, ref: readType(cursor) };
    case 'fixed':
      return { kind: 'fixed', ...named, size: readSize(cursor) };
  }
}

function readArray(cursor: PdlCursor, at: number): TypeSyntax {
  cursor.expect('[');
  const items = readType(cursor);
  cursor.expect(']');
  return { kind: 'array', items, at };
}

function readMap(cursor: PdlCursor, at: number): TypeSyntax {
  cursor.expect('[');
  const keys = readType(cursor);
  const values = readType(cursor);
  cursor.expect(']');
  return { kind: 'map', keys, values, at };
}

function readUnion(cursor: PdlCursor, at: number): TypeSyntax {
  cursor.expect('[');
  const members: UnionMemberSyntax[] = [];
  while (!cursor.skip(']')) {
    const header = readAnnotations(cursor);
    const start = cursor.here.at;
    if (isWord(cursor.next, ':')) {
      const alias = cursor.name('the alias of a union member');
      cursor.expect(':');
      members.push({ alias, ...header, type: readType(cursor), at: start });
    } else {
      members.push({ ...header, type: readType(cursor), at: start });
    }
  }
  return { kind: 'union', members, at };
}

/** Reads an inline declaration with its own namespace: `{ namespace a.b record C {} }`. */
function readScoped(cursor: PdlCursor): TypeSyntax {
  const namespace = cursor.skip('namespace') ? cursor.qualifiedName('a namespace') : undefined;
  if (cursor.skip('package')) cursor.qualifiedName('a package');
  const declaration = readDeclaration(cursor, readAnnotations(cursor));
  cursor.expect('}');
  return namespace === undefined ? declaration : { ...declaration, namespace };
}

function readIncludes(cursor: PdlCursor): TypeSyntax[] {
  const includes: TypeSyntax[] = [];
  if (!cursor.skip('includes')) return includes;
  do includes.push(readType(cursor));
  while (startsInclude(cursor));
  return includes;
}

/** True when another include follows, instead of the fields or the end of the record. */
function startsInclude(cursor: PdlCursor): boolean {
  const { kind } = cursor.here;
  return (kind === 'name' || kind === 'quoted') && !isWord(cursor.next, ':');
}

function readFields(cursor: PdlCursor): FieldSyntax[] {
  cursor.expect('{');
  const fields: FieldSyntax[] = [];
  while (!cursor.skip('}')) {
    const header = readAnnotations(cursor);
    const { at } = cursor.here;
    const name = cursor.name('the name of a field or "}"');
    cursor.expect(':');
    const optional = cursor.skip('optional');
    const type = readType(cursor);
    const fallback: { default?: JsonValue } = cursor.skip('=') ? { default: readJsonValue(cursor) } : {};
    fields.push({ name, ...header, optional, type, ...fallback, at });
  }
  return fields;
}

function readSymbols(cursor: PdlCursor): EnumSymbolSyntax[] {
  cursor.expect('{');
  const symbols: EnumSymbolSyntax[] = [];
  while (!cursor.skip('}')) {
    const header = readAnnotations(cursor);
    const { at } = cursor.here;
    symbols.push({ name: cursor.name('a symbol or "}"'), ...header, at });
  }
  return symbols;
}

function readSize(cursor: PdlCursor): number {
  const { kind, text } = cursor.here;
  if (kind !== 'number' || !/^\d{1,9}$/.test(text)) throw cursor.unexpected('a size in bytes');
  return Number(cursor.take().text);
}
