import type { SearchFilter, SearchRequest } from '@stratalog/domain';
import { textArray } from '../../database/binary-arrays';
import { StatementParameters } from '../../database/statement-parameters';
import { buildFilterCondition, type FilterCondition } from './filter-condition';
import type { SearchTables } from '../search-tables';
import { allOf, toTsquery, type TextCondition, type WordsWith } from './to-tsquery';

/** A search of one index version, with all that its statements are built from. */
export interface PlannedSearch {
  readonly tables: SearchTables;
  readonly indexVersion: number;
  readonly request: SearchRequest;
  readonly wordsWith: WordsWith;
  /** See `TokenUpkeep`. */
  readonly movedBefore: string | undefined;
}

/** The matches of a query and one filter. */
export interface Matching {
  /** The text after `from` in a select of the matches. */
  readonly from: string;
  readonly usesTokens: boolean;
  /** True when the matches cost much to find, however few they are: their conditions read keys. */
  readonly looksAtKeys: boolean;
}

/** True when a search excludes tokens: then it checks documents again whose tokens may be moving. */
export function excludesTokens(search: PlannedSearch): boolean {
  const { condition } = buildConditions(search, search.request.filter, new StatementParameters([]));
  return condition.kind === 'tsquery' && condition.excludes;
}

/** Builds the source of the matches. */
export function buildMatching(
  search: PlannedSearch,
  filter: SearchFilter | undefined,
  parameters: StatementParameters,
): Matching {
  const { tables, request, movedBefore } = search;
  const { condition, tokens, among, rest } = buildConditions(search, filter, parameters);
  const matched = matchCondition(request, condition.kind, tokens, parameters);
  const excludes = condition.kind === 'tsquery' && condition.excludes;
  const checked = excludes ? [buildSecondCheck(tokens, movedBefore, parameters)] : [];
  const source = `${tables.documents} d where ${[matched, ...checked, ...among].join(' and ')}`;
  return {
    from: buildSource(source, rest),
    usesTokens: condition.kind === 'tsquery',
    looksAtKeys: rest !== undefined,
  };
}

/** A condition on single documents, which come from elsewhere than the index of tokens. */
export interface DocumentTest {
  /** Tests type and visibility of a document `d`. */
  readonly shown: string;
  /** Tests the rest of a document `d`; absent when there is nothing to test. */
  readonly rest?: string;
  readonly usesTokens: boolean;
}

/** Builds the test of a document that is read in another order. */
export function buildDocumentTest(search: PlannedSearch, parameters: StatementParameters): DocumentTest {
  const { request } = search;
  const { condition, tokens, among, rest } = buildConditions(search, request.filter, parameters, true);
  const tests = [
    ...(condition.kind === 'tsquery' ? [`tokens @@ ${tokens}`] : []),
    ...(condition.kind === 'none' ? ['false'] : []),
    ...among,
    ...(rest === undefined ? [] : [rest.text]),
  ];
  return {
    shown: matchCondition(request, 'all', '', parameters),
    ...(tests.length === 0 ? {} : { rest: tests.join(' and ') }),
    usesTokens: condition.kind === 'tsquery',
  };
}

interface Conditions {
  readonly condition: TextCondition;
  /** The query of tokens as a parameter, or an empty text. */
  readonly tokens: string;
  /** The condition on the urn, if there is one. */
  readonly among: readonly string[];
  readonly rest: FilterCondition['rest'];
}

function buildConditions(
  { tables, request, wordsWith }: PlannedSearch,
  filter: SearchFilter | undefined,
  parameters: StatementParameters,
  testsFew = false,
): Conditions {
  const { query, urns } = request;
  const words = toTsquery(query, wordsWith);
  const own =
    filter === undefined
      ? undefined
      : buildFilterCondition(filter, { keys: tables.keys, wordsWith, parameters, testsFew });
  const condition = own === undefined ? words : allOf([words, own.tokens]);
  return {
    condition,
    tokens: condition.kind === 'tsquery' ? `${parameters.add(condition.text)}::tsquery` : '',
    among: urns === undefined ? [] : [`urn = any(${parameters.add(textArray(urns))}::text[])`],
    rest: own?.rest,
  };
}

/**
 * Builds the check of documents that the token index lets through by mistake: while tokens move from the pending list into the
 * index proper, one at a time, a scan may find a document by one token and miss the token that excludes it.
 *
 * It reads the tokens only of documents that may have been moving: those of transactions from `movedBefore` on. The
 * concatenation keeps the planner from taking the check for the condition that the index has answered.
 */
function buildSecondCheck(
  tokens: string,
  movedBefore: string | undefined,
  parameters: StatementParameters,
): string {
  const check = `(tokens || ''::tsvector) @@ ${tokens}`;
  if (movedBefore === undefined) return check;
  return `(age(xmin) > age(${parameters.add(movedBefore)}::xid) or ${check})`;
}

/**
 * Builds the source of the matches, and avoids fetching the tokens repeatedly, which lie out of line.
 *
 * Each expression that names `tokens` fetches them again. When several do, they are concatenated with an empty value
 * first: the result lies in memory and is shared. `offset 0` keeps the planner from merging the two selects.
 */
function buildSource(source: string, rest: FilterCondition['rest']): string {
  if (rest === undefined) return source;
  if (rest.reads < 2) return `${source} and ${rest.text}`;
  return `(select id, urn, facet_ids, folder_ids, name_starts, names, weight, tokens || ''::tsvector as tokens from ${source} offset 0) d
       where ${rest.text}`;
}

/**
 * Builds the condition on type, visibility and tokens.
 *
 * With tokens, type and `removed` take a form that no other index can answer, and whose frequency the planner knows. It
 * overestimates the cost of the pending tokens and would otherwise walk through all documents of the type.
 */
function matchCondition(
  { entityTypes, includesSoftDeleted = false }: SearchRequest,
  kind: TextCondition['kind'],
  tokens: string,
  parameters: StatementParameters,
): string {
  const excluded = includesSoftDeleted ? 'deleted' : 'removed';
  const isOfType = `entity_type = any(${parameters.add(entityTypes)}::text[])`;
  switch (kind) {
    case 'all':
      return `${isOfType} and not ${excluded}`;
    case 'none':
      return `${isOfType} and false`;
    case 'tsquery':
      return `(${isOfType}) is true and ${excluded} is false and tokens @@ ${tokens}`;
    default:
      return kind satisfies never;
  }
}
