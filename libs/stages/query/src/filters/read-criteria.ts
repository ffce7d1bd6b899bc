import { didYouMean } from '@stratalog/domain';
import { isJsonObject, stringifyJson, type JsonObject, type JsonValue } from '@stratalog/json';

/** Comparisons between a field and a value. */
export const CONDITIONS = [
  'EQUAL',
  'IEQUAL',
  'IN',
  'CONTAIN',
  'START_WITH',
  'END_WITH',
  'EXISTS',
  'IS_NULL',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL_TO',
  'BETWEEN',
] as const;
export type Condition = (typeof CONDITIONS)[number];

/** Throws, given the path of a member and its fault. */
export type Reject = (path: string, reason: string) => never;

/** One criterion of a filter as sent, for any index. */
export interface ReadCriterion {
  readonly field: string;
  readonly condition: Condition;
  readonly negated: boolean;
  readonly wanted: Wanted | undefined;
  /** Accepts paths relative to the criterion. */
  readonly reject: Reject;
}

/** The values of a criterion. */
export interface Wanted {
  readonly texts: readonly string[];
  /** True when the text comes from `value`, where commas may separate alternatives. */
  readonly isSingle: boolean;
}

/**
 * Reads a filter: one of the lists under `or`, or the list under `criteria`, must hold completely. Returns
 * `undefined` for a filter without a list, which matches everything.
 *
 * **Errors**: those of `reject`, for members that are missing or of the wrong type.
 *
 * **Source**: `docs/wire-decisions.md`, Searching; `docs/adr/0018-search-table.md`.
 */
export function readCriteria(
  { or, criteria, and }: JsonObject,
  reject: Reject,
): readonly (readonly ReadCriterion[])[] | undefined {
  if (and !== undefined && and !== null) reject('filter/and', 'is not supported; use or');
  const listIn = (value: JsonValue | undefined, path: string): readonly ReadCriterion[] =>
    listAt(value ?? [], path, reject).map((each, at) => readCriterion(each, `${path}/${String(at)}`, reject));
  if (or === undefined || or === null) {
    const own = listIn(criteria, 'filter/criteria');
    return own.length === 0 ? undefined : [own];
  }
  const lists = listAt(or, 'filter/or', reject).map((list, at) => {
    const path = `filter/or/${String(at)}`;
    return listIn(objectAt(list, path, reject).and, `${path}/and`);
  });
  return lists.length === 0 ? undefined : lists;
}

function readCriterion(value: JsonValue, path: string, reject: Reject): ReadCriterion {
  const criterion = objectAt(value, path, reject);
  const rejectMember: Reject = (member, reason) => reject(`${path}/${member}`, reason);
  const { field, negated = null } = criterion;
  if (typeof field !== 'string' || field === '') return rejectMember('field', 'is required');
  if (negated !== null && typeof negated !== 'boolean')
    return rejectMember('negated', 'is not true or false');
  return {
    field,
    condition: readCondition(criterion, rejectMember),
    negated: negated === true,
    wanted: readWanted(criterion, rejectMember),
    reject: rejectMember,
  };
}

function readCondition({ condition = null }: JsonObject, reject: Reject): Condition {
  if (condition === null) return 'EQUAL';
  if (typeof condition !== 'string') return reject('condition', 'is not a string');
  const known = CONDITIONS.find((each) => each === condition);
  if (known !== undefined) return known;
  const allowed = `use one of ${CONDITIONS.join(', ')}${didYouMean(condition, CONDITIONS)}`;
  return reject('condition', `${condition.slice(0, 100)} is not supported; ${allowed}`);
}

/** `values` takes precedence over `value`. */
function readWanted({ value = null, values = null }: JsonObject, reject: Reject): Wanted | undefined {
  if (values !== null) {
    const list = listAt(values, 'values', reject);
    if (list.length > 0)
      return { texts: list.map((each, at) => textAt(each, `values/${String(at)}`, reject)), isSingle: false };
  }
  return value === null ? undefined : { texts: [textAt(value, 'value', reject)], isSingle: true };
}

/**
 * Returns the alternatives of an EQUAL criterion. Old clients join several values with commas in one text; for text
 * fields the whole text is an alternative too. Urns contain commas, so they are not split.
 */
export function splitAlternatives(
  kind: 'text' | 'number' | 'boolean',
  { texts, isSingle }: Wanted,
): readonly string[] {
  const [text = ''] = texts;
  if (!isSingle || text.startsWith('urn:') || !text.includes(',')) return texts;
  const parts = text.split(',').map((part) => part.trim());
  return kind === 'text' ? [text, ...parts] : parts;
}

const WHOLE = /^[+-]?\d{1,40}$/;
const DECIMAL = /^[+-]?(\d{1,40}(\.\d{0,40})?|\.\d{1,40})([eE][+-]?\d{1,3})?$/;

/** Parses a number; whole numbers exactly. */
export function parseNumber(text: string): number | bigint | undefined {
  const trimmed = text.trim();
  if (WHOLE.test(trimmed)) return BigInt(trimmed.replace('+', ''));
  return DECIMAL.test(trimmed) ? Number(trimmed) : undefined;
}

function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

function textAt(value: JsonValue, path: string, reject: Reject): string {
  if (value === null || typeof value === 'object') return reject(path, 'is not a string');
  return toText(value);
}

function listAt(value: JsonValue, path: string, reject: Reject): readonly JsonValue[] {
  return Array.isArray(value) ? value : reject(path, 'is not a list');
}

function objectAt(value: JsonValue, path: string, reject: Reject): JsonObject {
  return isJsonObject(value) ? value : reject(path, 'is not an object');
}
