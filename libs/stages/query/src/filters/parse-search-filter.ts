import type { FieldValue, FilterTest, SearchCriterion, SearchFilter } from '@stratalog/domain';
import type { EntityType } from '@stratalog/registry';
import { MAX_ASKED_KEY_LENGTH, toFilterKey, toFilterToken } from '@stratalog/search-text';
import {
  parseNumber,
  rejectIn,
  splitAlternatives,
  toComparing,
  type ComparingCriterion,
  type Criteria,
  type Reject,
} from './read-criteria';
import { REMOVED, resolveFilteredField, type SearchedField } from './searched-field';

/** Most values of a filter: more than people and clients send, and less than an engine rejects. */
const MAX_VALUES = 2_000;
/** Most substring values of a filter: an engine compares each with every distinct value of a field. */
const MAX_PARTS = 100;

/** A filter in the form of the search index. */
export interface ParsedFilter {
  /** Absent when every entity passes. */
  readonly filter?: SearchFilter;
  /** True when the filter names `removed`: the search then includes soft-deleted entities. */
  readonly namesSoftDeleted: boolean;
  /** The values that EQUAL and IN select, not negated, as texts by field. */
  readonly selected: ReadonlyMap<string, readonly string[]>;
}

/**
 * Parses a filter on fields of the entity types.
 *
 * **Errors**: those of `reject`: for a field that no type has, a condition that does not fit the field, a value of the wrong
 * type, and for exceeded limits.
 */
export function parseSearchFilter(
  types: readonly EntityType[],
  lists: Criteria,
  reject: Reject,
): ParsedFilter {
  const selected = new Map<string, readonly string[]>();
  if (lists.length === 0) return { namesSoftDeleted: false, selected };
  const bounds = new Bounds(reject);
  let namesSoftDeleted = false;
  const filter = lists.map((list) =>
    list.map(toComparing).flatMap((criterion): readonly SearchCriterion[] => {
      const field = resolveFilteredField(types, criterion.field);
      if ('fault' in field) return rejectIn(criterion, reject)('field', field.fault);
      if (field.names.includes(REMOVED)) namesSoftDeleted = true;
      if (isIdle(criterion)) return [];
      const { negated } = criterion;
      const {
        test,
        equals = [],
        fields = field.names,
      } = toTest(criterion, { field, bounds, reject: rejectIn(criterion, reject) });
      if (!negated && equals.length > 0) {
        for (const name of field.names)
          selected.set(name, [...(selected.get(name) ?? []), ...equals.map(String)]);
      }
      return [{ ...test, fields, negated }];
    }),
  );
  // A list without criteria matches every entity.
  const passesAll = filter.some((list) => list.length === 0);
  return { ...(passesAll ? {} : { filter }), namesSoftDeleted, selected };
}

/** Clients name a field without a value to accept any value. */
function isIdle({ condition, wanted }: ComparingCriterion): boolean {
  if (condition === 'EXISTS' || wanted === undefined) return false;
  return wanted.isSingle && wanted.texts.every((text) => text.trim() === '');
}

/** Returns the test of a criterion, the values that it compares exactly, and its fields where they are others than those of the name. */
function toTest(
  criterion: ComparingCriterion,
  {
    field,
    bounds,
    reject,
  }: { readonly field: SearchedField; readonly bounds: Bounds; readonly reject: Reject },
): {
  readonly test: FilterTest;
  readonly equals?: readonly FieldValue[];
  readonly fields?: readonly string[];
} {
  const { condition, wanted } = criterion;
  if (condition === 'EXISTS') return { test: { condition: 'exists' } };
  if (wanted === undefined) return reject('value', 'is required');
  const texts = condition === 'EQUAL' ? splitAlternatives(field.kind, wanted) : wanted.texts;
  bounds.countValues(texts.length * field.names.length);
  const values = (of: readonly string[]): readonly FieldValue[] =>
    of.map((text) => parseFieldValue(field, text, reject));
  // A structured property may have numbers, which equal a number of any form.
  const numbers = field.numbers === undefined ? [] : texts.flatMap((text) => parseNumber(text) ?? []);
  const both = field.numbers === undefined ? {} : { fields: [...field.names, field.numbers] };
  switch (condition) {
    case 'EQUAL':
    case 'IN': {
      const equals = values(texts);
      return {
        test: { condition: 'equal', anyOf: [...equals, ...numbers].map(toFilterToken) },
        equals,
        ...both,
      };
    }
    case 'IEQUAL':
      return {
        test: { condition: 'equalKey', anyOf: [...values(texts), ...numbers].map(toFilterKey) },
        ...both,
      };
    case 'CONTAIN':
    case 'START_WITH':
    case 'END_WITH': {
      if (field.kind !== 'text') {
        return reject(
          'condition',
          `${condition} compares texts; ${criterion.field.slice(0, 100)} holds none`,
        );
      }
      const parts = texts.map((text) => toFilterKey(text.trim()));
      bounds.countParts(parts, field.names.length, reject);
      return { test: { condition: PARTS[condition], anyOf: parts } };
    }
    case 'GREATER_THAN':
    case 'GREATER_THAN_OR_EQUAL_TO':
    case 'LESS_THAN':
    case 'LESS_THAN_OR_EQUAL_TO':
    case 'BETWEEN': {
      const ends: ToEnds = RANGES[condition];
      const asked = texts.slice(0, condition === 'BETWEEN' ? 2 : 1);
      const bySize = field.numbers !== undefined && asked.every((text) => parseNumber(text) !== undefined);
      const keys = (bySize ? numbers.slice(0, asked.length) : values(asked)).map(toFilterKey);
      rejectLong(keys, reject);
      const test = { condition: 'range', ...ends(keys[0] ?? '', keys[1]) } as const;
      return bySize ? { test, fields: [field.numbers] } : { test };
    }
    default:
      return condition satisfies never;
  }
}

const PARTS = { CONTAIN: 'contain', START_WITH: 'startWith', END_WITH: 'endWith' } as const;

type Ends = Pick<Extract<FilterTest, { condition: 'range' }>, 'from' | 'to'>;

type ToEnds = (key: string, other: string | undefined) => Ends;

/** Converts a condition to a range of keys. */
const RANGES = {
  GREATER_THAN: (key) => ({ from: { key, isIncluded: false } }),
  GREATER_THAN_OR_EQUAL_TO: (key) => ({ from: { key, isIncluded: true } }),
  LESS_THAN: (key) => ({ to: { key, isIncluded: false } }),
  LESS_THAN_OR_EQUAL_TO: (key) => ({ to: { key, isIncluded: true } }),
  BETWEEN: (key, other) => ({
    from: { key, isIncluded: true },
    ...(other === undefined ? {} : { to: { key: other, isIncluded: true } }),
  }),
} as const satisfies Readonly<Record<string, ToEnds>>;

function parseFieldValue({ kind, toValue }: SearchedField, text: string, reject: Reject): FieldValue {
  switch (kind) {
    case 'number':
      return parseNumber(text) ?? reject('value', `"${text.slice(0, 100)}" is not a number`);
    case 'boolean':
      return text.trim().toLowerCase() === 'true';
    case 'text':
      return toValue?.(text) ?? text;
    default:
      return kind satisfies never;
  }
}

/** Counts the values of a filter and rejects a filter over the limits. */
class Bounds {
  private valuesLeft = MAX_VALUES;
  private partsLeft = MAX_PARTS;

  constructor(private readonly reject: Reject) {}

  countValues(count: number): void {
    this.valuesLeft -= count;
    if (this.valuesLeft < 0) this.reject('filter', `has more than ${String(MAX_VALUES)} values`);
  }

  countParts(parts: readonly string[], fields: number, reject: Reject): void {
    this.partsLeft -= parts.length * fields;
    if (this.partsLeft < 0) this.reject('filter', `looks for more than ${String(MAX_PARTS)} parts of values`);
    rejectLong(parts, reject);
  }
}

function rejectLong(keys: readonly string[], reject: Reject): void {
  if (keys.some(({ length }) => length > MAX_ASKED_KEY_LENGTH)) {
    reject('value', `is longer than the ${String(MAX_ASKED_KEY_LENGTH)} characters that can be looked for`);
  }
}
