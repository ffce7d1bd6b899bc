import type { RangeEnd, SearchCriterion, SearchFilter } from '@stratalog/domain';
import { ANY_FILTER_TOKEN } from '@stratalog/search-text';
import { anyOf, termsQuery, toQuery, type EngineQuery } from './build-query';
import { scoped } from '../documents/token-scope';

/**
 * Limit of automaton states, enough for the longest part of a text that a filter may name, even one letter repeated.
 */
const MAX_STATES = 10_000_000;

/** Levels of a query around a criterion. */
const FILTER_LEVELS = 5;

/** Translates a filter into one that passes the same documents as `matchesFilter` of search-text. */
export function buildFilterQuery(filter: SearchFilter): EngineQuery {
  const groups = filter.map((criteria): EngineQuery => ({ bool: { filter: criteria.map(criterionQuery) } }));
  return groups.length === 0 ? { match_none: {} } : anyOf(groups);
}

function criterionQuery(criterion: SearchCriterion): EngineQuery {
  const met =
    criterion.condition === 'query'
      ? toQuery(criterion.query, FILTER_LEVELS)
      : anyOf(criterion.fields.flatMap((field) => listTests(criterion, field)));
  return criterion.negated ? { bool: { must_not: [met] } } : met;
}

/** Lists alternatives; one of them must match. */
function listTests(
  criterion: Exclude<SearchCriterion, { condition: 'query' }>,
  field: string,
): readonly EngineQuery[] {
  const everyKey = (query: (key: string) => EngineQuery): readonly EngineQuery[] =>
    'anyOf' in criterion ? criterion.anyOf.map(query) : [];
  switch (criterion.condition) {
    case 'exists':
      return [termsQuery([scoped(field, ANY_FILTER_TOKEN)])];
    case 'equal':
      return [termsQuery(criterion.anyOf.map((token) => scoped(field, token)))];
    case 'equalKey':
      return [{ terms: { keys: criterion.anyOf.map((key) => scoped(field, key)) } }];
    case 'startWith':
      return everyKey((key) => ({ prefix: { keys: { value: scoped(field, key) } } }));
    case 'contain':
      return everyKey((key) => pattern(`${escaped(scoped(field, ''))}.*${escaped(key)}.*`));
    case 'endWith':
      return everyKey((key) => pattern(`${escaped(scoped(field, ''))}.*${escaped(key)}`));
    case 'range':
      return [rangeQuery(field, criterion.from, criterion.to)];
    default:
      return criterion satisfies never;
  }
}

function pattern(value: string): EngineQuery {
  return { regexp: { keys: { value, flags: 'NONE', max_determinized_states: MAX_STATES } } };
}

/**
 * Builds a range. An open end extends to the last key of the field; `;` is the character after the colon that ends its
 * name.
 */
function rangeQuery(field: string, from: RangeEnd | undefined, to: RangeEnd | undefined): EngineQuery {
  const lower = scoped(field, from?.key ?? '');
  const upper = to === undefined ? `.${field};` : scoped(field, to.key);
  return {
    range: {
      keys: {
        ...(from?.isIncluded === false ? { gt: lower } : { gte: lower }),
        ...(to?.isIncluded === true ? { lte: upper } : { lt: upper }),
      },
    },
  };
}

/** Escapes a text for the engine's regular expressions, in which a backslash makes any character literal. */
function escaped(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_]/gu, '\\$&');
}
