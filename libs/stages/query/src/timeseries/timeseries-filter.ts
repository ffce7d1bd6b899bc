import type { JsonObject, JsonValue } from '@stratalog/model';
import type { AspectType } from '@stratalog/registry';
import {
  toTimeseriesField,
  type FilteredTimeseriesValue,
  type TimeseriesFilterField,
} from './timeseries-field';
import {
  alternativesIn,
  numberIn,
  readCriteria,
  toText,
  type Condition,
  type ReadCriterion,
  type Reject,
  type Wanted,
} from '../filters/read-criteria';

export type TimeseriesFilter = (timeseriesValue: FilteredTimeseriesValue) => boolean;

/**
 * The test that a filter stands for; `undefined` when every point passes.
 *
 * **Errors**: what `reject` throws for a filter that cannot be read, a field that the aspect does not have or that cannot be compared, a
 * condition that nobody knows, and a value that is none of the field's type.
 */
export function parseTimeseriesFilter(
  aspect: AspectType,
  filter: JsonObject | undefined,
  reject: Reject,
): TimeseriesFilter | undefined {
  const lists = filter === undefined ? undefined : readCriteria(filter, reject);
  const groups = lists?.map((list) => list.map((criterion) => testedBy(aspect, criterion)));
  // A list without criteria holds of everything.
  if (groups === undefined || groups.some((group) => group.length === 0)) return undefined;
  return (timeseriesValue) => groups.some((group) => group.every((holds) => holds(timeseriesValue)));
}

function testedBy(aspect: AspectType, criterion: ReadCriterion): TimeseriesFilter {
  const { condition, negated, wanted, reject } = criterion;
  const field = toTimeseriesField(aspect, criterion.field);
  if ('fault' in field) return reject('field', field.fault);
  const test = toTest(condition, { field, wanted, reject });
  return (timeseriesValue) => test(field.valuesOf(timeseriesValue)) !== negated;
}

interface TestDeps {
  readonly field: TimeseriesFilterField;
  readonly wanted: Wanted | undefined;
  readonly reject: Reject;
}

type Test = (values: readonly JsonValue[]) => boolean;

/** Conditions on a value's text and a wanted one, both in lower case. */
const TEXT_CONDITIONS = {
  IEQUAL: (text: string, part: string) => text === part,
  CONTAIN: (text: string, part: string) => text.includes(part),
  START_WITH: (text: string, part: string) => text.startsWith(part),
  END_WITH: (text: string, part: string) => text.endsWith(part),
} as const;

/** Conditions on how a value stands to the wanted one: below 0, 0 or above. */
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
  const compare = (text = ''): ((value: JsonValue) => number) => comparisonWith(field, text, reject);
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
      const [holds, orderOf] = [ORDER_CONDITIONS[condition], compare(first)];
      return anyOf((value) => holds(orderOf(value)));
    }
    case 'EQUAL':
    case 'IN': {
      const texts = condition === 'EQUAL' ? alternativesIn(field.kind, wanted) : wanted.texts;
      const orders = texts.map((text) => compare(text));
      return anyOf((value) => orders.some((orderOf) => orderOf(value) === 0));
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

/** Tells how a value stands to a text: below, equal or above. Whole numbers are compared exactly. */
function comparisonWith(
  { kind }: TimeseriesFilterField,
  text: string,
  reject: Reject,
): (value: JsonValue) => number {
  if (kind === 'number') {
    const wanted = numberIn(text);
    if (wanted === undefined) return reject('value', `"${text.slice(0, 100)}" is not a number`);
    return (value) => order(typeof value === 'number' || typeof value === 'bigint' ? value : 0, wanted);
  }
  const wanted = kind === 'boolean' ? String(text.trim().toLowerCase() === 'true') : text;
  return (value) => order(toText(value), wanted);
}

function order<T extends string | number | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
