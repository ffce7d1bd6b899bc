import type { JsonObject, JsonValue } from '@stratalog/json';
import type { SourceFile } from './source-file';

/** Syntax tree of a PDL file, before names are resolved. `at` is an offset into the file's text. */
export interface PdlDocument {
  readonly source: SourceFile;
  /** Empty when the file declares none. */
  readonly namespace: string;
  readonly package?: string;
  readonly imports: readonly ImportSyntax[];
  readonly declaration: NamedSyntax;
}

export interface ImportSyntax {
  readonly name: string;
  readonly at: number;
}

export type TypeSyntax = ReferenceSyntax | ArraySyntax | MapSyntax | UnionSyntax | NamedSyntax;

/** A primitive or a named type, as written; a dotted name is a full name. */
interface ReferenceSyntax {
  readonly kind: 'reference';
  readonly name: string;
  readonly at: number;
}

interface ArraySyntax {
  readonly kind: 'array';
  readonly items: TypeSyntax;
  readonly at: number;
}

interface MapSyntax {
  readonly kind: 'map';
  readonly keys: TypeSyntax;
  readonly values: TypeSyntax;
  readonly at: number;
}

export interface UnionSyntax {
  readonly kind: 'union';
  readonly members: readonly UnionMemberSyntax[];
  readonly at: number;
}

export interface UnionMemberSyntax {
  readonly alias?: string;
  readonly doc: string;
  readonly annotations: JsonObject;
  readonly type: TypeSyntax;
  readonly at: number;
}

/** A declaration, at the top of a file or inline. */
export type NamedSyntax = RecordSyntax | EnumSyntax | TyperefSyntax | FixedSyntax;

interface Named {
  readonly name: string;
  /** Set when an inline declaration has its own namespace: `{ namespace a.b record C {} }`. */
  readonly namespace?: string;
  readonly doc: string;
  readonly annotations: JsonObject;
  readonly at: number;
}

export interface RecordSyntax extends Named {
  readonly kind: 'record';
  readonly includes: readonly TypeSyntax[];
  readonly fields: readonly FieldSyntax[];
}

export interface FieldSyntax {
  readonly name: string;
  readonly doc: string;
  readonly annotations: JsonObject;
  readonly type: TypeSyntax;
  readonly optional: boolean;
  readonly default?: JsonValue;
  readonly at: number;
}

interface EnumSyntax extends Named {
  readonly kind: 'enum';
  readonly symbols: readonly EnumSymbolSyntax[];
}

export interface EnumSymbolSyntax {
  readonly name: string;
  readonly doc: string;
  readonly annotations: JsonObject;
  readonly at: number;
}

interface TyperefSyntax extends Named {
  readonly kind: 'typeref';
  readonly ref: TypeSyntax;
}

interface FixedSyntax extends Named {
  readonly kind: 'fixed';
  readonly size: number;
}
