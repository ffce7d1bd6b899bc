import type { JsonObject, JsonValue } from '@stratalog/model';
import type { AspectType } from '@stratalog/registry';
import { pointFieldOf, type FilteredPoint, type PointField } from './point-field-of';
import {
  alternativesIn,
  numberIn,
  readCriteria,
  textOf,
  type Condition,
  type ReadCriterion,
  type Refuse,
  type Wanted,
} from './read-criteria';

export type PointFilter = (point: FilteredPoint) => boolean;

/**
 * The test that a filter stands for; `undefined` when every point passes.
 *
 * **Errors**: what `refuse` throws for a filter that cannot be read, a field that the aspect does not have or that cannot be compared, a
 * condition that nobody knows, and a value that is none of the field's type.
 */
export function pointFilterOf(
  aspect: AspectType,
  filter: JsonObject | undefined,
  refuse: Refuse,
): PointFilter | undefined {
  const lists = filter === undefined ? undefined : readCriteria(filter, refuse);
  const groups = lists?.map((list) => list.map((criterion) => testedBy(aspect, criterion)));
  // A list without criteria holds of everything.
  if (groups === undefined || groups.some((group) => group.length === 0)) return undefined;
  return (point) => groups.some((group) => group.every((holds) => holds(point)));
}

function testedBy(aspect: AspectType, criterion: ReadCriterion): PointFilter {
  const { condition, negated, wanted, refuse } = criterion;
  const field = pointFieldOf(aspect, criterion.field);
  if ('fault' in field) return refuse('field', field.fault);
  const test = testOf(condition, { field, wanted, refuse });
  return (point) => test(field.valuesOf(point)) !== negated;
}

interface TestParts {
  readonly field: PointField;
  readonly wanted: Wanted | undefined;
  readonly refuse: Refuse;
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

function testOf(condition: Condition, { field, wanted, refuse }: TestParts): Test {
  if (condition === 'EXISTS') return (values) => values.length > 0;
  if (condition === 'IS_NULL') return (values) => values.length === 0;
  if (wanted === undefined) return refuse('value', 'is required');
  const compare = (text = ''): ((value: JsonValue) => number) => comparisonWith(field, text, refuse);
  const [first, last] = wanted.texts;
  switch (condition) {
    case 'IEQUAL':
    case 'CONTAIN':
    case 'START_WITH':
    case 'END_WITH': {
      const holds = TEXT_CONDITIONS[condition];
      const parts = wanted.texts.map((text) => text.trim().toLowerCase());
      return anyOf((value) => parts.some((part) => holds(textOf(value).toLowerCase(), part)));
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
function comparisonWith({ kind }: PointField, text: string, refuse: Refuse): (value: JsonValue) => number {
  if (kind === 'number') {
    const wanted = numberIn(text);
    if (wanted === undefined) return refuse('value', `"${text.slice(0, 100)}" is not a number`);
    return (value) => order(typeof value === 'number' || typeof value === 'bigint' ? value : 0, wanted);
  }
  const wanted = kind === 'boolean' ? String(text.trim().toLowerCase() === 'true') : text;
  return (value) => order(textOf(value), wanted);
}

function order<T extends string | number | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
