import type { NamedSyntax, PdlDocument, TypeSyntax } from '../pdl/pdl-syntax';
import { errorAt, placeOf, type Origin } from '../pdl/source-file';

/** A declaration with its full name and its scope. */
export interface Declared {
  readonly name: string;
  readonly syntax: NamedSyntax;
  readonly scope: Scope;
  readonly origin: Origin;
}

/** The short names that are visible inside one declaration. */
export interface Scope {
  readonly document: PdlDocument;
  readonly namespace: string;
  /** Full names by short name. */
  readonly imports: ReadonlyMap<string, string>;
}

export type Declarations = ReadonlyMap<string, Declared>;

/**
 * Collects the declarations of all files, inline ones included, by their full names.
 *
 * **Errors**: `InvalidModelError` with both places when two share a name.
 */
export function readDeclarations(documents: readonly PdlDocument[]): Declarations {
  const declarations = new Map<string, Declared>();
  for (const document of documents) {
    const scope = { document, namespace: document.namespace, imports: listImports(document) };
    declare(document.declaration, scope, declarations);
  }
  return declarations;
}

/** Returns the full name of a declaration in its scope. */
export function toFullName(syntax: NamedSyntax, scope: Scope): string {
  const namespace = syntax.namespace ?? scope.namespace;
  return syntax.name.includes('.') || namespace === '' ? syntax.name : `${namespace}.${syntax.name}`;
}

/** Resolves a reference to a full name: a dotted name is one; else an import, else a type of the same namespace. */
export function resolveName(name: string, scope: Scope): string {
  if (name.includes('.')) return name;
  return scope.imports.get(name) ?? (scope.namespace === '' ? name : `${scope.namespace}.${name}`);
}

function listImports(document: PdlDocument): ReadonlyMap<string, string> {
  const imports = new Map<string, string>();
  for (const { name, at } of document.imports) {
    const short = name.slice(name.lastIndexOf('.') + 1);
    const other = imports.get(short);
    if (other !== undefined && other !== name) {
      throw document.source.error(at, `${short} is imported twice: as ${other} and as ${name}`);
    }
    imports.set(short, name);
  }
  return imports;
}

function declare(syntax: NamedSyntax, outer: Scope, declarations: Map<string, Declared>): void {
  const name = toFullName(syntax, outer);
  const origin = { source: outer.document.source, at: syntax.at };
  const other = declarations.get(name);
  if (other !== undefined)
    throw errorAt(origin, `${name} is declared twice, first at ${placeOf(other.origin)}`);
  const scope = { ...outer, namespace: name.slice(0, Math.max(0, name.lastIndexOf('.'))) };
  declarations.set(name, { name, syntax, scope, origin });
  for (const inner of listInnerTypes(syntax)) declareInside(inner, scope, declarations);
}

function declareInside(type: TypeSyntax, scope: Scope, declarations: Map<string, Declared>): void {
  switch (type.kind) {
    case 'reference':
      return;
    case 'array':
      declareInside(type.items, scope, declarations);
      return;
    case 'map':
      declareInside(type.values, scope, declarations);
      return;
    case 'union':
      for (const member of type.members) declareInside(member.type, scope, declarations);
      return;
    default:
      declare(type, scope, declarations);
  }
}

function listInnerTypes(syntax: NamedSyntax): readonly TypeSyntax[] {
  switch (syntax.kind) {
    case 'record':
      return [...syntax.includes, ...syntax.fields.map((field) => field.type)];
    case 'typeref':
      return [syntax.ref];
    case 'enum':
    case 'fixed':
      return [];
  }
}
