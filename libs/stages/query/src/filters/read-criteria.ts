import { converted, elements, fail, flag, members, withValue, withoutValue } from '@stratalog/http';
import { didYouMean } from '@stratalog/domain';
import { isJsonObject, stringifyJson, type JsonObject, type JsonValue } from '@stratalog/json';
import type * as z from 'zod';

/** Comparisons between a field and a value. */
const CONDITIONS = [
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

/** Conditions that hold where another one does not. */
const OPPOSITES = { IS_NULL: 'EXISTS' } as const satisfies Partial<Record<Condition, Condition>>;

/** A condition that decides by itself. */
export type Comparison = Exclude<Condition, keyof typeof OPPOSITES>;

/** Most criteria of a filter: more than people and clients send, and less than an engine rejects. */
export const MAX_CRITERIA = 200;

/** Throws, given the path of a member and its fault. */
export type Reject = (path: string, reason: string) => never;

/** The values of a criterion. */
export interface Wanted {
  readonly texts: readonly string[];
  /** True when the text comes from `value`, where commas may separate alternatives. */
  readonly isSingle: boolean;
}

/** A text that is not empty. */
export const fieldName = converted<string>(
  { type: 'string' },
  {
    convert: (sent) => (typeof sent === 'string' && sent !== '' ? sent : undefined),
    fault: { reason: 'is required' },
  },
);

/** Numbers and booleans are read as texts. */
const comparedText = converted<string>(
  { type: 'string' },
  { convert: toText, fault: withoutValue('a string') },
);

const condition = converted<Condition>(
  { type: 'string', enum: CONDITIONS },
  {
    convert: (sent) => CONDITIONS.find((each) => each === sent),
    fault: (sent) => {
      if (typeof sent !== 'string') return withoutValue('a string');
      const allowed = `use one of ${CONDITIONS.join(', ')}${didYouMean(sent, CONDITIONS)}`;
      return { reason: `${sent.slice(0, 100)} is not supported; ${allowed}` };
    },
  },
);

const criterion = members(
  {
    field: fieldName.describe('Name of a searchable field; a suffix `.keyword` is ignored.'),
    condition: condition.default('EQUAL'),
    value: comparedText.optional().describe('Value to compare with. A blank value disables the criterion.'),
    values: elements(comparedText).optional().describe('Several values, instead of `value`.'),
    negated: flag(withoutValue).default(false),
  },
  { prepare: preferValues },
);

/** `values` takes precedence over `value`, which is then not read. */
function preferValues({ value, ...sent }: JsonObject): JsonObject {
  const { values } = sent;
  const isUnread = value === undefined || (Array.isArray(values) && values.length > 0);
  return isUnread ? sent : { ...sent, value };
}

type SentCriterion = z.output<typeof criterion>;

/** One criterion of a filter, for any index. */
export interface Criterion extends Pick<SentCriterion, 'field' | 'condition' | 'negated'> {
  readonly wanted: Wanted | undefined;
  /** Its place in the request. */
  readonly path: string;
}

/** A criterion whose condition is the opposite of no other. */
export interface ComparingCriterion extends Omit<Criterion, 'condition'> {
  readonly condition: Comparison;
}

/** Replaces a condition that is the opposite of another one by that one, negated. */
export function toComparing({ condition, ...criterion }: Criterion): ComparingCriterion {
  if (!isOpposite(condition)) return { ...criterion, condition };
  return { ...criterion, condition: OPPOSITES[condition], negated: !criterion.negated };
}

function isOpposite(condition: Condition): condition is keyof typeof OPPOSITES {
  return condition in OPPOSITES;
}

/** A filter: one of the lists must hold completely. No list: it matches everything. */
export type Criteria = readonly (readonly Criterion[])[];

/**
 * The parameter `filter`: one of the lists under `or`, or the list under `criteria`, must hold completely.
 *
 * **Source**: `docs/wire-decisions.md`, Searching; `docs/adr/0018-search-table.md`.
 */
export const filter = members(
  {
    or: elements(members({ and: elements(criterion).optional() })).optional(),
    criteria: elements(criterion)
      .optional()
      .meta({ deprecated: true, description: 'One list that must hold; read when `or` is absent.' }),
  },
  { wording: withValue, prepare: preferOr },
)
  .transform(({ or, criteria = [] }): Criteria => {
    if (or !== undefined) {
      return or.map(({ and = [] }, at) => and.map(placed(`filter/or/${String(at)}/and`)));
    }
    return criteria.length === 0 ? [] : [criteria.map(placed('filter/criteria'))];
  })
  .describe(
    'A match satisfies at least one list under `or`, and of that list every criterion under `and`. EQUAL and IN compare exactly, other conditions ignore case. Numbers and booleans compare by value.',
  );

/**
 * A filter of OpenAPI clients, as the parameter `name`: one of the lists must hold completely, although the member that has them is
 * named `and`.
 */
export function listFilter(name: string) {
  return members(
    { and: elements(members({ criteria: elements(criterion).optional() })).optional() },
    {
      wording: withValue,
      prepare: (sent, context): JsonObject => {
        const lists = Array.isArray(sent.and) ? sent.and : [];
        const or = lists.map((list) => (isJsonObject(list) ? { and: list.criteria ?? [] } : {}));
        if (countCriteria({ or }) <= MAX_CRITERIA) return sent;
        return fail(context, { reason: `has more than ${String(MAX_CRITERIA)} criteria` });
      },
    },
  ).transform(({ and = [] }): Criteria =>
    and.map(({ criteria = [] }, at) => criteria.map(placed(`${name}/and/${String(at)}/criteria`))),
  );
}

/** With `or` the older `criteria` is not read. */
function preferOr({ criteria, ...sent }: JsonObject, context: z.RefinementCtx): JsonObject {
  if (sent.and !== undefined) return fail(context, { reason: 'is not supported; use or' }, ['and']);
  const used = sent.or !== undefined || criteria === undefined ? sent : { ...sent, criteria };
  if (countCriteria(used) > MAX_CRITERIA)
    return fail(context, { reason: `has more than ${String(MAX_CRITERIA)} criteria` });
  return used;
}

/** Counts the criteria before they are parsed. A list without criteria counts as one. */
function countCriteria({ or, criteria }: JsonObject): number {
  const count = (list: JsonValue | undefined): number => (Array.isArray(list) ? list.length : 0);
  if (!Array.isArray(or)) return count(criteria);
  return or.reduce((sum: number, list) => sum + Math.max(1, isJsonObject(list) ? count(list.and) : 0), 0);
}

function placed(list: string): (criterion: SentCriterion, at: number) => Criterion {
  return ({ value, values = [], ...sent }, at) => {
    const [texts, isSingle] = values.length > 0 || value === undefined ? [values, false] : [[value], true];
    return {
      ...sent,
      wanted: texts.length === 0 ? undefined : { texts, isSingle },
      path: `${list}/${String(at)}`,
    };
  };
}

/** Rejects a member of a criterion. */
export function rejectIn({ path }: Criterion, reject: Reject): Reject {
  return (member, reason) => reject(`${path}/${member}`, reason);
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

function toText(value: unknown): string | undefined {
  if (value === undefined || value === null || typeof value === 'object') return undefined;
  return typeof value === 'string' ? value : stringifyJson(value as JsonValue);
}
