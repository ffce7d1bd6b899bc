import type { SearchCriterion, SearchFilter } from '@stratalog/model';
import { ANY_FILTER_TOKEN } from '@stratalog/search-text';
import type { StatementParameters } from '../database/statement-parameters';
import { allOf, anyOf, toLexemes, negate, type TextCondition } from './to-tsquery';

/** A filter in the form that PostgreSQL evaluates. */
export interface FilterCondition {
  /** The condition that the token index answers. It passes every row that the filter passes, and possibly more. */
  readonly tokens: TextCondition;
  /** SQL that checks the remaining rows, and the number of its parts that read keys or tokens. */
  readonly rest?: { readonly text: string; readonly reads: number };
}

type KeyCriterion = Exclude<SearchCriterion, { condition: 'exists' | 'equal' }>;

/**
 * Translates a filter.
 *
 * Tokens answer whether a field has a value or equals one. Every other condition reads the keys of all rows that the
 * tokens pass.
 */
export function buildFilterCondition(filter: SearchFilter, parameters: StatementParameters): FilterCondition {
  const groups = filter.map((criteria) => ({
    tokens: allOf(criteria.map(toTokens)),
    exact: allOf(criteria.filter((criterion) => !isKeyCriterion(criterion)).map(toTokens)),
    keys: criteria.filter((criterion) => isKeyCriterion(criterion)),
  }));
  const tokens = anyOf(groups.map((group) => group.tokens));
  if (groups.every(({ keys }) => keys.length === 0)) return { tokens };
  const [first, second] = groups;
  if (first !== undefined && second === undefined) {
    const text = first.keys.map((criterion) => keyTest(criterion, parameters)).join(' and ');
    return { tokens, rest: { text, reads: first.keys.length } };
  }
  const alternatives = groups.map((group) => {
    const parts = group.keys.map((criterion) => keyTest(criterion, parameters));
    return `(${[tokenTest(group.exact, parameters), ...parts].join(' and ')})`;
  });
  return { tokens, rest: { text: `(${alternatives.join(' or ')})`, reads: filter.flat().length } };
}

function isKeyCriterion(criterion: SearchCriterion): criterion is KeyCriterion {
  return criterion.condition !== 'exists' && criterion.condition !== 'equal';
}

/** Builds the token condition of a criterion. For a key criterion it requires only that the field has a value. */
function toTokens(criterion: SearchCriterion): TextCondition {
  const { fields, negated } = criterion;
  const tokens = criterion.condition === 'equal' ? criterion.anyOf : [ANY_FILTER_TOKEN];
  if (isKeyCriterion(criterion) && negated) return { kind: 'all' };
  const met = anyOf(fields.map((field) => toLexemes(field, tokens)));
  return negated ? negate(met) : met;
}

function tokenTest(condition: TextCondition, parameters: StatementParameters): string {
  if (condition.kind !== 'tsquery') return condition.kind === 'all' ? 'true' : 'false';
  return `tokens @@ ${parameters.add(condition.text)}::tsquery`;
}

function keyTest(criterion: KeyCriterion, parameters: StatementParameters): string {
  return `${criterion.negated ? 'not ' : ''}exists (
      select 1 from unnest(${parameters.add(criterion.fields)}::text[]) f(name)
       cross join lateral jsonb_array_elements_text(keys -> f.name) k(key)
       where ${keyCondition(criterion, parameters)})`;
}

function keyCondition(criterion: KeyCriterion, parameters: StatementParameters): string {
  if (criterion.condition === 'range') return rangeCondition(criterion, parameters);
  const isAny = (operator: string, texts: readonly string[]): string =>
    `k.key collate "C" ${operator} any(${parameters.add(texts)}::text[])`;
  const parts = criterion.anyOf;
  switch (criterion.condition) {
    case 'equalKey':
      return isAny('=', parts);
    case 'contain':
      return isAny(
        'like',
        parts.map((part) => `%${literal(part)}%`),
      );
    case 'startWith':
      return isAny(
        'like',
        parts.map((part) => `${literal(part)}%`),
      );
    case 'endWith':
      return isAny(
        'like',
        parts.map((part) => `%${literal(part)}`),
      );
    default:
      return criterion satisfies never;
  }
}

/** Escapes a text for a `like` pattern. */
function literal(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}

function rangeCondition(
  { from, to }: Extract<KeyCriterion, { condition: 'range' }>,
  parameters: StatementParameters,
): string {
  const side = (end: typeof from, operator: '>' | '<'): readonly string[] => {
    if (end === undefined) return [];
    const comparison = end.isIncluded ? `${operator}=` : operator;
    return [`k.key collate "C" ${comparison} ${parameters.add(end.key)}::text`];
  };
  return ['true', ...side(from, '>'), ...side(to, '<')].join(' and ');
}
