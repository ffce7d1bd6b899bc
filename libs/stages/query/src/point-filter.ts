import type { JsonObject, JsonValue } from '@stratalog/model';
import type { AspectType } from '@stratalog/registry';
import { pointFieldOf, type PointField } from './point-field-of';
import {
  alternativesIn,
  numberIn,
  readCriteria,
  textOf,
  type ReadCriterion,
  type Refuse,
  type Wanted,
} from './read-criteria';

/** Of a point: who has it, and what its value says. */
export interface FilteredPoint {
  readonly urn: string;
  readonly members: JsonObject;
  readonly systemMetadata: JsonObject;
}

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

function testOf(condition: string, { field, wanted, refuse }: TestParts): Test {
  if (condition === 'EXISTS') return (values) => values.length > 0;
  if (condition === 'IS_NULL') return (values) => values.length === 0;
  if (wanted === undefined) return refuse('value', 'is required');
  const anyOf =
    (holds: (value: JsonValue) => boolean): Test =>
    (values) =>
      values.some(holds);
  const texts = wanted.texts.map((text) => text.trim().toLowerCase());
  const like = (holds: (text: string, part: string) => boolean): Test =>
    anyOf((value) => texts.some((part) => holds(textOf(value).toLowerCase(), part)));
  const compare = (text: string | undefined): ((value: JsonValue) => number) =>
    comparisonWith(field, text ?? '', refuse);
  const [first, last] = wanted.texts;
  switch (condition) {
    case 'EQUAL':
    case 'IN': {
      const comparisons = (condition === 'EQUAL' ? alternativesIn(field.kind, wanted) : wanted.texts).map(
        compare,
      );
      return anyOf((value) => comparisons.some((compareTo) => compareTo(value) === 0));
    }
    case 'IEQUAL':
      return like((text, part) => text === part);
    case 'CONTAIN':
      return like((text, part) => text.includes(part));
    case 'START_WITH':
      return like((text, part) => text.startsWith(part));
    case 'END_WITH':
      return like((text, part) => text.endsWith(part));
    case 'GREATER_THAN':
      return anyOf(
        (
          (compareTo) => (value) =>
            compareTo(value) > 0
        )(compare(first)),
      );
    case 'GREATER_THAN_OR_EQUAL_TO':
      return anyOf(
        (
          (compareTo) => (value) =>
            compareTo(value) >= 0
        )(compare(first)),
      );
    case 'LESS_THAN':
      return anyOf(
        (
          (compareTo) => (value) =>
            compareTo(value) < 0
        )(compare(first)),
      );
    case 'LESS_THAN_OR_EQUAL_TO':
      return anyOf(
        (
          (compareTo) => (value) =>
            compareTo(value) <= 0
        )(compare(first)),
      );
    case 'BETWEEN': {
      const [from, to] = [compare(first), last === undefined || wanted.isSingle ? undefined : compare(last)];
      return anyOf((value) => from(value) >= 0 && (to === undefined || to(value) <= 0));
    }
    default:
      return refuse('condition', `${condition.slice(0, 100)} is not supported`);
  }
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
