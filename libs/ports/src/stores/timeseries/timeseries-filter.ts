import type { TimeseriesField } from '@stratalog/domain';

/** A value to compare with. Fields of kind `number` compare with numbers only; whole ones exactly. */
export type ComparedValue = string | number | bigint;

export type TimeseriesTest =
  | { readonly kind: 'exists' }
  | { readonly kind: 'one-of'; readonly values: readonly ComparedValue[] }
  /** Compares texts, ignoring case; one of the parts suffices. */
  | {
      readonly kind: 'equal' | 'contain' | 'start' | 'end';
      readonly parts: readonly string[];
    }
  | { readonly kind: 'range'; readonly low?: RangeEnd | undefined; readonly high?: RangeEnd | undefined };

export interface RangeEnd {
  readonly value: ComparedValue;
  readonly isIncluded: boolean;
}

export interface TimeseriesCriterion {
  readonly field: TimeseriesField;
  readonly test: TimeseriesTest;
  readonly negated: boolean;
}

/** Selects values that satisfy every criterion of at least one list. */
export type TimeseriesFilter = readonly (readonly TimeseriesCriterion[])[];
