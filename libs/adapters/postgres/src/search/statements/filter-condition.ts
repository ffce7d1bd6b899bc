import type { SearchCriterion, SearchFilter } from '@stratalog/domain';
import { ANY_FILTER_TOKEN } from '@stratalog/search-text';
import type { StatementParameters } from '../../database/statement-parameters';
import { firstWindow, isCut, rangeOf } from '../key-entries';
import { allOf, anyOf, toLexemes, toTsquery, negate, type TextCondition, type WordsWith } from './to-tsquery';

/** A filter in the form that PostgreSQL evaluates. */
export interface FilterCondition {
  /** The condition that the token index answers. It passes every row that the filter passes, and possibly more. */
  readonly tokens: TextCondition;
  /** SQL that checks the remaining rows, and the number of its parts that read tokens. */
  readonly rest?: { readonly text: string; readonly reads: number };
}

type KeyCriterion = Exclude<SearchCriterion, { condition: 'exists' | 'equal' | 'query' }>;

/** Where the SQL of a filter reads. */
interface Target {
  /** The table of keys. */
  readonly keys: string;
  readonly wordsWith: WordsWith;
  readonly parameters: StatementParameters;
  /** True when few documents are tested, one by one. Otherwise the server may read all keys that a criterion names at once. */
  readonly testsFew: boolean;
}

/**
 * Translates a filter of documents `d`.
 *
 * Tokens answer whether a field has a value or equals one. Every other condition reads the table of keys, in the
 * order that the planner finds best: first there, or first at the rows that the tokens pass.
 */
export function buildFilterCondition(filter: SearchFilter, target: Target): FilterCondition {
  const groups = filter.map((criteria) => ({
    tokens: allOf(criteria.map((criterion) => toTokens(criterion, target))),
    exact: allOf(
      criteria
        .filter((criterion) => !isKeyCriterion(criterion))
        .map((criterion) => toTokens(criterion, target)),
    ),
    keys: criteria.filter((criterion) => isKeyCriterion(criterion)),
  }));
  const tokens = anyOf(groups.map((group) => group.tokens));
  if (groups.every(({ keys }) => keys.length === 0)) return { tokens };
  const [first, second] = groups;
  if (first !== undefined && second === undefined) {
    const text = first.keys.map((criterion) => keyTest(criterion, target)).join(' and ');
    return { tokens, rest: { text, reads: 0 } };
  }
  const alternatives = groups.map((group) => {
    const parts = group.keys.map((criterion) => keyTest(criterion, target));
    return `(${[tokenTest(group.exact, target.parameters), ...parts].join(' and ')})`;
  });
  return { tokens, rest: { text: `(${alternatives.join(' or ')})`, reads: groups.length } };
}

function isKeyCriterion(criterion: SearchCriterion): criterion is KeyCriterion {
  const { condition } = criterion;
  return condition !== 'exists' && condition !== 'equal' && condition !== 'query';
}

/**
 * Builds the token condition of a criterion. A key criterion has none: that its field has a value would tell the planner
 * less than the keys do, and costs a read of the tokens.
 */
function toTokens(criterion: SearchCriterion, { wordsWith }: Pick<Target, 'wordsWith'>): TextCondition {
  if (isKeyCriterion(criterion)) return { kind: 'all' };
  if (criterion.condition === 'query') {
    const query = toTsquery(criterion.query, wordsWith);
    return criterion.negated ? negate(query) : query;
  }
  const { fields, negated } = criterion;
  const tokens = criterion.condition === 'equal' ? criterion.anyOf : [ANY_FILTER_TOKEN];
  const met = anyOf(fields.map((field) => toLexemes(field, tokens)));
  return negated ? negate(met) : met;
}

function tokenTest(condition: TextCondition, parameters: StatementParameters): string {
  if (condition.kind !== 'tsquery') return condition.kind === 'all' ? 'true' : 'false';
  return `tokens @@ ${parameters.add(condition.text)}::tsquery`;
}

/** Builds a test of the rows of `keys`, in which a range of the index holds the entries of a field. */
function keyTest(criterion: KeyCriterion, { keys, parameters, testsFew }: Target): string {
  const tests = criterion.fields.map((field) => entryTest(criterion, field, parameters));
  const met = `(${tests.join(' or ')})`;
  // The offset makes the server read the keys of the document first. It would take all entries of the field for few.
  const from = testsFew
    ? `(select * from ${keys} where document = d.id offset 0) k where ${met}`
    : `${keys} k where k.document = d.id and ${met}`;
  const exists = `exists (select 1 from ${from})`;
  // In this form it is no join, which would hash all documents: most of them pass a negated test.
  return criterion.negated ? `(${exists}) is not true` : exists;
}

function entryTest(criterion: KeyCriterion, field: string, parameters: StatementParameters): string {
  const { start } = rangeOf(field);
  const like = (pattern: (part: string) => string, parts: readonly string[]): string =>
    likeTest(
      field,
      parts.map((part) => literal(start) + pattern(literal(part))),
      parameters,
    );
  switch (criterion.condition) {
    case 'range':
      return `${rangeTest(field, criterion, parameters)} and k.is_first`;
    case 'equalKey':
      return equalTest(start, criterion.anyOf, parameters);
    case 'contain':
      return like((part) => `%${part}%`, criterion.anyOf);
    case 'startWith':
      return `${like((part) => `${part}%`, criterion.anyOf)} and k.is_first`;
    case 'endWith':
      return `${like((part) => `%${part}`, criterion.anyOf)} and k.is_last`;
    default:
      return criterion satisfies never;
  }
}

/**
 * The planner derives the range of the index from a single pattern, and knows how many entries match it. For several it
 * needs the range.
 */
function likeTest(field: string, patterns: readonly string[], parameters: StatementParameters): string {
  const [first = ''] = patterns;
  if (patterns.length === 1) return `k.entry like ${parameters.add(first)}::text`;
  const { start, end } = rangeOf(field);
  return `k.entry >= ${parameters.add(start)}::text and k.entry < ${parameters.add(end)}::text and k.entry like any(${parameters.add(patterns)}::text[])`;
}

function equalTest(start: string, asked: readonly string[], parameters: StatementParameters): string {
  const isAny = (keys: readonly string[]): string =>
    `any(${parameters.add(keys.map((key) => start + key))}::text[])`;
  const short = asked.filter((key) => !isCut(key));
  const long = asked.filter(isCut);
  const tests = [
    ...(short.length === 0 ? [] : [`k.entry = ${isAny(short)} and k.is_first and k.is_last`]),
    ...(long.length === 0
      ? []
      : [`k.entry = ${isAny(long.map(firstWindow))} and k.is_first and k.whole = ${isAny(long)}`]),
  ];
  return tests.map((test) => `(${test})`).join(' or ');
}

/** Escapes a text for a `like` pattern. */
function literal(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}

function rangeTest(
  field: string,
  { from, to }: Extract<KeyCriterion, { condition: 'range' }>,
  parameters: StatementParameters,
): string {
  const { start, end } = rangeOf(field);
  const lower = `k.entry ${from?.isIncluded === false ? '>' : '>='} ${parameters.add(start + (from?.key ?? ''))}::text`;
  const upper = `k.entry ${to?.isIncluded === true ? '<=' : '<'} ${parameters.add(to === undefined ? end : start + to.key)}::text`;
  return `${lower} and ${upper}`;
}
