import type { JsonObject, JsonValue } from '@stratalog/model';
import type { AspectType } from '@stratalog/registry';
import {
  toTimeseriesField,
  type FilteredTimeseriesValue,
  type TimeseriesFilterField,
} from './timeseries-field';
import {
  splitAlternatives,
  parseNumber,
  readCriteria,
  toText,
  type Condition,
  type ReadCriterion,
  type Reject,
  type Wanted,
} from '../filters/read-criteria';

export type TimeseriesFilter = (timeseriesValue: FilteredTimeseriesValue) => boolean;

/**
 * Parses a filter to a test of timeseries values; `undefined` when every value passes.
 *
 * **Errors**: those of `reject`: for a malformed filter, a field that is unknown or not comparable, an unknown
 * condition, and a value of the wrong type.
 */
export function parseTimeseriesFilter(
  aspect: AspectType,
  filter: JsonObject | undefined,
  reject: Reject,
): TimeseriesFilter | undefined {
  const lists = filter === undefined ? undefined : readCriteria(filter, reject);
  const groups = lists?.map((list) => list.map((criterion) => toCriterionTest(aspect, criterion)));
  // A list without criteria matches every value.
  if (groups === undefined || groups.some((group) => group.length === 0)) return undefined;
  return (timeseriesValue) => groups.some((group) => group.every((holds) => holds(timeseriesValue)));
}

function toCriterionTest(aspect: AspectType, criterion: ReadCriterion): TimeseriesFilter {
  const { condition, negated, wanted, reject } = criterion;
  const field = toTimeseriesField(aspect, criterion.field);
  if ('fault' in field) return reject('field', field.fault);
  const test = toTest(condition, { field, wanted, reject });
  return (timeseriesValue) => test(field.readValues(timeseriesValue)) !== negated;
}

interface TestDeps {
  readonly field: TimeseriesFilterField;
  readonly wanted: Wanted | undefined;
  readonly reject: Reject;
}

type Test = (values: readonly JsonValue[]) => boolean;

/** Tests of a value's text against a wanted text, both in lower case. */
const TEXT_CONDITIONS = {
  IEQUAL: (text: string, part: string) => text === part,
  CONTAIN: (text: string, part: string) => text.includes(part),
  START_WITH: (text: string, part: string) => text.startsWith(part),
  END_WITH: (text: string, part: string) => text.endsWith(part),
} as const;

/** Tests of a comparison result: negative, 0 or positive. */
const ORDER_CONDITIONS = {
  GREATER_THAN: (order: number) => order > 0,
  GREATER_THAN_OR_EQUAL_TO: (order: number) => order >= 0,
  LESS_THAN: (order: number) => order < 0,
  LESS_THAN_OR_EQUAL_TO: (order: number) => order <= 0,
} as const;

function toTest(condition: Condition, { field, wanted, reject }: TestDeps): Test {
  if (condition === 'EXISTS') return (values) => values.length > 0;
  if (condition === 'IS_NULL') return (values) => values.length === 0;
  if (wanted === undefined) return reject('value', 'is required');
  const compare = (text = ''): ((value: JsonValue) => number) => toComparison(field, text, reject);
  const [first, last] = wanted.texts;
  switch (condition) {
    case 'IEQUAL':
    case 'CONTAIN':
    case 'START_WITH':
    case 'END_WITH': {
      const holds = TEXT_CONDITIONS[condition];
      const parts = wanted.texts.map((text) => text.trim().toLowerCase());
      return anyOf((value) => parts.some((part) => holds(toText(value).toLowerCase(), part)));
    }
    case 'GREATER_THAN':
    case 'GREATER_THAN_OR_EQUAL_TO':
    case 'LESS_THAN':
    case 'LESS_THAN_OR_EQUAL_TO': {
      const [holds, compareValue] = [ORDER_CONDITIONS[condition], compare(first)];
      return anyOf((value) => holds(compareValue(value)));
    }
    case 'EQUAL':
    case 'IN': {
      const texts = condition === 'EQUAL' ? splitAlternatives(field.kind, wanted) : wanted.texts;
      const orders = texts.map((text) => compare(text));
      return anyOf((value) => orders.some((compareValue) => compareValue(value) === 0));
    }
    case 'BETWEEN': {
      const [from, to] = [compare(first), last === undefined || wanted.isSingle ? undefined : compare(last)];
      return anyOf((value) => from(value) >= 0 && (to === undefined || to(value) <= 0));
    }
    default:
      return condition satisfies never;
  }
}

function anyOf(holds: (value: JsonValue) => boolean): Test {
  return (values) => values.some(holds);
}

/** Returns a comparison with a text: negative, 0 or positive. Whole numbers compare exactly. */
function toComparison(
  { kind }: TimeseriesFilterField,
  text: string,
  reject: Reject,
): (value: JsonValue) => number {
  if (kind === 'number') {
    const wanted = parseNumber(text);
    if (wanted === undefined) return reject('value', `"${text.slice(0, 100)}" is not a number`);
    return (value) => order(typeof value === 'number' || typeof value === 'bigint' ? value : 0, wanted);
  }
  const wanted = kind === 'boolean' ? String(text.trim().toLowerCase() === 'true') : text;
  return (value) => order(toText(value), wanted);
}

function order<T extends string | number | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
