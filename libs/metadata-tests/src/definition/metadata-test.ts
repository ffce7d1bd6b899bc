import type { JsonValue } from '@stratalog/json';
import type { TestActions } from './actions/action';
import type { Comparison } from '../operators/operators';
import type { PropertyPath } from '../paths/property-path';
import type { TestReads } from './list-reads';

/** How the values of a range of a timeseries aspect become one. */
export const AGGREGATES = ['latest', 'sum', 'average', 'minimum', 'maximum', 'count'] as const;
export type Aggregate = (typeof AGGREGATES)[number];

/** A condition that an entity, or the element of a list, meets or not. Every one knows its place in the definition. */
export type Predicate = { readonly rule: string } & (
  | { readonly kind: 'and' | 'or'; readonly predicates: readonly Predicate[] }
  | { readonly kind: 'not'; readonly predicate: Predicate }
  | ({ readonly kind: 'quantifier' } & Quantifier)
  | ({ readonly kind: 'comparison' } & PropertyComparison)
);

export const QUANTIFIERS = ['every', 'some', 'none'] as const;

/** Tests the elements of a list, each for itself. */
export interface Quantifier {
  readonly quantifier: (typeof QUANTIFIERS)[number];
  readonly path: PropertyPath;
  /** Only elements that meet it count. */
  readonly where?: Predicate;
  readonly rules: Predicate;
}

export interface PropertyComparison {
  readonly path: PropertyPath;
  /** Of a timeseries aspect. */
  readonly aggregate: Aggregate;
  /** The range of timeseries values, up to now; absent: only the latest value. */
  readonly withinMs?: number;
  readonly operator: string;
  /** Operands as sent, for reports. */
  readonly operands: readonly JsonValue[];
  readonly compare: Comparison;
}

/** A definition that the model knows, ready to evaluate. */
export interface MetadataTest {
  /** Names of entity types, as the model writes them. */
  readonly types: ReadonlySet<string>;
  readonly conditions: Predicate;
  readonly rules: Predicate;
  readonly actions: TestActions;
  readonly reads: TestReads;
}
