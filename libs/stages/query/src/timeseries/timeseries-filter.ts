import type { TimeseriesField } from '@stratalog/domain';
import type { ComparedValue, TimeseriesCriterion, TimeseriesFilter, TimeseriesTest } from '@stratalog/ports';
import type { AspectType } from '@stratalog/registry';
import { toTimeseriesField } from './timeseries-field';
import {
  parseNumber,
  rejectIn,
  splitAlternatives,
  toComparing,
  type ComparingCriterion,
  type Comparison,
  type Criteria,
  type Reject,
  type Wanted,
} from '../filters/read-criteria';

/** Most criteria of a filter, and most values of one criterion: each is a part of one statement. */
const MAX_CRITERIA = 100;
const MAX_VALUES = 10_000;

/**
 * Parses a filter of timeseries values; `undefined` when every value passes.
 *
 * **Errors**: those of `reject`: for a filter with too many parts, a field that is unknown or not comparable, and a value of
 * the wrong type.
 */
export function parseTimeseriesFilter(
  aspect: AspectType,
  lists: Criteria,
  reject: Reject,
): TimeseriesFilter | undefined {
  // A list without criteria matches every value.
  if (lists.length === 0 || lists.some((list) => list.length === 0)) return undefined;
  if (lists.flat().length > MAX_CRITERIA) reject('filter', `has more than ${String(MAX_CRITERIA)} criteria`);
  return lists.map((list) =>
    list.map(toComparing).map((criterion) => toCriterion(aspect, criterion, rejectIn(criterion, reject))),
  );
}

function toCriterion(
  aspect: AspectType,
  { condition, negated, wanted, field: name }: ComparingCriterion,
  reject: Reject,
): TimeseriesCriterion {
  const field = toTimeseriesField(aspect, name);
  if ('fault' in field) return reject('field', field.fault);
  if (condition === 'EXISTS') return { field, test: { kind: 'exists' }, negated };
  if (wanted === undefined) return reject('value', 'is required');
  if (wanted.texts.length > MAX_VALUES)
    return reject('values', `has more than ${String(MAX_VALUES)} elements`);
  return { field, test: toTest(condition, { field, wanted, reject }), negated };
}

interface TestDeps {
  readonly field: TimeseriesField;
  readonly wanted: Wanted;
  readonly reject: Reject;
}

const TEXT_TESTS = { IEQUAL: 'equal', CONTAIN: 'contain', START_WITH: 'start', END_WITH: 'end' } as const;

function toTest(
  condition: Exclude<Comparison, 'EXISTS'>,
  { field, wanted, reject }: TestDeps,
): TimeseriesTest {
  const toValue = (text = ''): ComparedValue => toComparedValue(field, text, reject);
  const [first, last] = wanted.texts;
  const end = (text: string | undefined, isIncluded: boolean) => ({ value: toValue(text), isIncluded });
  switch (condition) {
    case 'IEQUAL':
    case 'CONTAIN':
    case 'START_WITH':
    case 'END_WITH':
      return { kind: TEXT_TESTS[condition], parts: wanted.texts.map((text) => text.trim()) };
    case 'GREATER_THAN':
      return { kind: 'range', low: end(first, false) };
    case 'GREATER_THAN_OR_EQUAL_TO':
      return { kind: 'range', low: end(first, true) };
    case 'LESS_THAN':
      return { kind: 'range', high: end(first, false) };
    case 'LESS_THAN_OR_EQUAL_TO':
      return { kind: 'range', high: end(first, true) };
    case 'EQUAL':
    case 'IN': {
      const texts = condition === 'EQUAL' ? splitAlternatives(toPlainKind(field), wanted) : wanted.texts;
      return { kind: 'one-of', values: texts.map(toValue) };
    }
    case 'BETWEEN': {
      const low = end(first, true);
      return {
        kind: 'range',
        low,
        ...(last === undefined || wanted.isSingle ? {} : { high: end(last, true) }),
      };
    }
    default:
      return condition satisfies never;
  }
}

function toPlainKind({ kind }: TimeseriesField): 'text' | 'number' | 'boolean' {
  return kind === 'json' ? 'text' : kind;
}

/** Whole numbers compare exactly. */
function toComparedValue({ kind }: TimeseriesField, text: string, reject: Reject): ComparedValue {
  if (kind === 'number')
    return parseNumber(text) ?? reject('value', `"${text.slice(0, 100)}" is not a number`);
  return kind === 'boolean' ? String(text.trim().toLowerCase() === 'true') : text;
}
