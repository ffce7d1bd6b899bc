import { isJsonObject, stringifyJson, type JsonObject, type JsonValue } from '@stratalog/model';
import type { AspectType } from '@stratalog/registry';
import { pointFieldOf, type PointField } from './point-field-of';

/** Of a point: who has it, and what its value says. */
export interface FilteredPoint {
  readonly urn: string;
  readonly members: JsonObject;
  readonly systemMetadata: JsonObject;
}

export type PointFilter = (point: FilteredPoint) => boolean;

/** Throws, given the path of a member and what is wrong with it. */
export type Refuse = (path: string, reason: string) => never;

/**
 * Reads a filter: one of the lists under `or`, or the one under `criteria`, must hold as a whole. Without any criterion every point passes.
 *
 * **Errors**: what `refuse` throws for a field that the aspect does not have or that cannot be compared, a condition that nobody knows, and a
 * value that is none of the field's type.
 *
 * **Source**: contract, search filters; operations and search behaviour, section 3.7.
 */
export function pointFilterOf(
  aspect: AspectType,
  filter: JsonObject | undefined,
  refuse: Refuse,
): PointFilter | undefined {
  if (filter === undefined) return undefined;
  const { or, criteria, and } = filter;
  if (and !== undefined && and !== null) refuse('filter/and', 'is not supported; use or');
  const criterionAt = (value: JsonValue, path: string): PointFilter =>
    criterionOf(aspect, objectAt(value, path, refuse), (member, reason) =>
      refuse(`${path}/${member}`, reason),
    );
  if (or === undefined || or === null) {
    const own = listAt(criteria ?? [], 'filter/criteria', refuse).map((each, at) =>
      criterionAt(each, `filter/criteria/${String(at)}`),
    );
    return own.length === 0 ? undefined : (point) => own.every((holds) => holds(point));
  }
  const groups = listAt(or, 'filter/or', refuse).map((group, at) => {
    const path = `filter/or/${String(at)}`;
    const list = listAt(objectAt(group, path, refuse).and ?? [], `${path}/and`, refuse);
    return list.map((each, place) => criterionAt(each, `${path}/and/${String(place)}`));
  });
  // A list without criteria holds of everything.
  if (groups.length === 0 || groups.some((group) => group.length === 0)) return undefined;
  return (point) => groups.some((group) => group.every((holds) => holds(point)));
}

function criterionOf(aspect: AspectType, criterion: JsonObject, refuse: Refuse): PointFilter {
  const { field: name, condition = null, negated = null } = criterion;
  if (typeof name !== 'string' || name === '') return refuse('field', 'is required');
  const field = pointFieldOf(aspect, name);
  if ('fault' in field) return refuse('field', field.fault);
  if (negated !== null && typeof negated !== 'boolean') refuse('negated', 'is not true or false');
  if (condition !== null && typeof condition !== 'string') return refuse('condition', 'is not a string');
  const test = testOf(condition ?? 'EQUAL', { field, wanted: wantedIn(criterion, refuse), refuse });
  return (point) => test(field.valuesOf(point)) !== (negated === true);
}

interface Wanted {
  readonly texts: readonly string[];
  /** From `value`, where commas may separate alternatives. */
  readonly isSingle: boolean;
}

/** A list of values counts before a single one. */
function wantedIn({ value = null, values = null }: JsonObject, refuse: Refuse): Wanted | undefined {
  if (values !== null) {
    const list = listAt(values, 'values', refuse);
    if (list.length > 0)
      return { texts: list.map((each, at) => textAt(each, `values/${String(at)}`, refuse)), isSingle: false };
  }
  return value === null ? undefined : { texts: [textAt(value, 'value', refuse)], isSingle: true };
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
    anyOf((value) => texts.some((part) => holds(plain(value).toLowerCase(), part)));
  const compare = (text: string | undefined): ((value: JsonValue) => number) =>
    comparisonWith(field, text ?? '', refuse);
  const [first, last] = wanted.texts;
  switch (condition) {
    case 'EQUAL':
    case 'IN': {
      const comparisons = (condition === 'EQUAL' ? alternativesIn(field, wanted) : wanted.texts).map(compare);
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

/** Old clients put several texts into one, with commas in between; the whole is one of them as well. Urns hold commas themselves. */
function alternativesIn({ kind }: PointField, { texts, isSingle }: Wanted): readonly string[] {
  const [text = ''] = texts;
  if (!isSingle || text.startsWith('urn:') || !text.includes(',')) return texts;
  const parts = text.split(',').map((part) => part.trim());
  return kind === 'text' ? [text, ...parts] : parts;
}

/** Tells how a value stands to a text: below, equal or above. Whole numbers are compared exactly. */
function comparisonWith({ kind }: PointField, text: string, refuse: Refuse): (value: JsonValue) => number {
  if (kind === 'number') {
    const wanted = numberIn(text);
    if (wanted === undefined) return refuse('value', `"${text.slice(0, 100)}" is not a number`);
    return (value) => order(typeof value === 'number' || typeof value === 'bigint' ? value : 0, wanted);
  }
  const wanted = kind === 'boolean' ? String(text.trim().toLowerCase() === 'true') : text;
  return (value) => order(plain(value), wanted);
}

const WHOLE = /^[+-]?\d{1,40}$/;
const DECIMAL = /^[+-]?(\d{1,40}(\.\d{0,40})?|\.\d{1,40})([eE][+-]?\d{1,3})?$/;

function numberIn(text: string): number | bigint | undefined {
  const trimmed = text.trim();
  if (WHOLE.test(trimmed)) return BigInt(trimmed.replace('+', ''));
  return DECIMAL.test(trimmed) ? Number(trimmed) : undefined;
}

function order<T extends string | number | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function plain(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

function textAt(value: JsonValue, path: string, refuse: Refuse): string {
  if (value === null || typeof value === 'object') return refuse(path, 'is not a string');
  return plain(value);
}

function listAt(value: JsonValue, path: string, refuse: Refuse): readonly JsonValue[] {
  return Array.isArray(value) ? value : refuse(path, 'is not a list');
}

function objectAt(value: JsonValue, path: string, refuse: Refuse): JsonObject {
  return isJsonObject(value) ? value : refuse(path, 'is not an object');
}
