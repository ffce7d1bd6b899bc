import { hash } from 'node:crypto';
import {
  parseSequences,
  type PartitionSequences,
  type SearchFilter,
  type SearchHit,
  type SearchRequest,
  type SearchResult,
} from '@stratalog/model';
import { buildFilterCondition, type FilterCondition } from './filter-condition';
import { buildOrderClauses, type OrderClauses } from './search-order';
import type { SearchTables } from './search-tables';
import { textArray } from '../database/binary-arrays';
import { StatementParameters } from '../database/statement-parameters';
import { collectIds, facetIds, groupFacets } from './search-facets';
import { buildScore } from './score-expression';
import { allOf, toTsquery, type TextCondition, type WordsWith } from './to-tsquery';

/**
 * A row per hit in order, or one row without a hit. The first row carries total and checkpoint, and as `facets_0`, `facets_1` ... the ids of
 * the matches of each group of facets.
 */
export interface SearchRow extends Readonly<Record<FacetColumn, Buffer | null | undefined>> {
  readonly total: number;
  readonly urn: string | null;
  readonly score: number;
  readonly keys: readonly (string | null)[] | null;
  readonly body: string | null;
  readonly position: Readonly<Record<string, number>> | null;
}

type FacetColumn = `facets_${number}`;

export interface SearchStatement {
  readonly text: string;
  readonly values: unknown[];
  /** True when the token index answers the statement. */
  readonly usesTokens: boolean;
  /** True when the statement excludes tokens, and checks documents again whose tokens may be moving. */
  readonly excludesTokens: boolean;
  /** Set for statements with a constant text and one good plan; the server prepares them once per connection. */
  readonly name?: string;
}

/** Converts the rows of the search statement to a result without its facets. */
export function toResult(
  rows: readonly SearchRow[],
): Omit<SearchResult, 'facets'> & { readonly position: PartitionSequences } {
  const first = rows[0];
  return {
    total: first?.total ?? 0,
    hits: rows.flatMap(({ urn, score, keys, body }) =>
      urn === null || body === null
        ? []
        : [{ urn, score, values: JSON.parse(body) as SearchHit['values'], keys: keys ?? [] }],
    ),
    position: parseSequences(first?.position ?? {}),
  };
}

/** Returns the ids of the matches of a group of facets; `null` without a match. */
export function readMatches([first]: readonly SearchRow[], group: number): Buffer | null {
  return first?.[facetColumn(group)] ?? null;
}

function facetColumn(group: number): FacetColumn {
  return `facets_${group}`;
}

/**
 * Number of matches that are ranked by all their words: the best by their names. The tokens of every match would take
 * seconds to read.
 */
const MAX_FULLY_RANKED = 300;

/** Builds one statement for total, page, matches of facets and checkpoint, so that all four read the same snapshot. */
export function searchStatement(
  tables: SearchTables,
  indexVersion: number,
  request: SearchRequest & { readonly wordsWith?: WordsWith; readonly movedBefore?: string | undefined },
): SearchStatement {
  const { documents: table, keys } = tables;
  const {
    entityTypes,
    count,
    start,
    query,
    ranking = [],
    filter,
    urns,
    includesSoftDeleted,
    wordsWith = () => [],
    movedBefore,
  } = request;
  const parameters = new StatementParameters([entityTypes, count, start, indexVersion]);
  const words = toTsquery(query, wordsWith);
  const among = urns === undefined ? '' : ` and urn = any(${parameters.add(textArray(urns))}::text[])`;
  const matching = (own: SearchFilter | undefined): Matching =>
    buildMatching({ tables, words, wordsWith, among, includesSoftDeleted, movedBefore }, own, parameters);
  const matched = matching(filter);
  const order =
    request.order === undefined
      ? undefined
      : buildOrderClauses(request.order, request.after, { keys, parameters });
  const ids = facetIds(request.facets);
  const groups = groupFacets(request.facets).map(({ filter: own }) =>
    own === undefined ? collectIds('ids', 'matched') : collectIds(ids, matching(own).from),
  );
  const countsMatches = request.facets.some((facet) => facet.filter === undefined);
  const score = buildScore(request.order === undefined ? ranking : [], parameters);
  const text = `
    with matched as materialized (
      select ${order?.readsIds === true ? 'id, ' : ''}urn, ${countsMatches ? `${ids} as ids, ` : ''}${score.byNames} as score
        from ${matched.from}
    ), total as materialized (
      select count(*)::integer as n from matched
    ), ${order === undefined ? pageByScore(table, score.byAll) : pageByOrder(order)}
    select t.n as total, p.urn, p.score, p.keys, d.body,
           ${groups.map((group, at) => `${ofFirstRow(group)} as ${facetColumn(at)}, `).join('')}
           ${ofFirstRow('(select json_object_agg(partition, seq) from search_checkpoint where index_version = $4)')} as position
      from total t
      left join page p on true
      left join lateral (select body from ${table} where urn = p.urn limit 1) d on true
     order by p.place`;
  const { usesTokens, excludesTokens } = matched;
  const isPlain =
    filter === undefined &&
    urns === undefined &&
    order === undefined &&
    request.facets.every((facet) => facet.filter === undefined) &&
    ranking.length <= MAX_PREPARED_TERMS &&
    includesSoftDeleted !== true;
  return {
    text,
    values: parameters.values,
    usesTokens,
    excludesTokens,
    ...(usesTokens && isPlain ? { name: `${table}-${hash('sha1', text).slice(0, 16)}` } : {}),
  };
}

/** Builds an expression that only the first row of the statement has. */
function ofFirstRow(expression: string): string {
  return `case when p.place is null or p.place = $3::integer + 1 then ${expression} end`;
}

/** Most terms of a prepared ranking: those of three words. Each number of terms is a statement of its own on every connection. */
const MAX_PREPARED_TERMS = 14;

/** The matches of a query and one filter. */
interface Matching {
  /** The text after `from` in a select of the matches. */
  readonly from: string;
  readonly usesTokens: boolean;
  readonly excludesTokens: boolean;
}

interface Matched {
  readonly tables: SearchTables;
  readonly words: TextCondition;
  readonly wordsWith: WordsWith;
  /** Condition on the urn, or an empty text. */
  readonly among: string;
  readonly includesSoftDeleted: boolean | undefined;
  /** See `TokenUpkeep`. */
  readonly movedBefore: string | undefined;
}

function buildMatching(
  { tables, words, wordsWith, among, includesSoftDeleted, movedBefore }: Matched,
  filter: SearchFilter | undefined,
  parameters: StatementParameters,
): Matching {
  const own =
    filter === undefined
      ? undefined
      : buildFilterCondition(filter, { keys: tables.keys, wordsWith, parameters });
  const condition = own === undefined ? words : allOf([words, own.tokens]);
  const tokens = condition.kind === 'tsquery' ? `${parameters.add(condition.text)}::tsquery` : '';
  const excludesTokens = condition.kind === 'tsquery' && condition.excludes;
  const checked = excludesTokens ? ` and ${buildSecondCheck(tokens, movedBefore, parameters)}` : '';
  const source = `${tables.documents} d where ${matchCondition(condition.kind, tokens, includesSoftDeleted)}${checked}${among}`;
  return {
    from: buildSource(source, own?.rest),
    usesTokens: condition.kind === 'tsquery',
    excludesTokens,
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
  return `(select id, urn, facet_ids, folder_ids, names, weight, tokens || ''::tsvector as tokens from ${source} offset 0) d
       where ${rest.text}`;
}

/** Selects the hits of the page before it numbers them. Numbering all matches would sort all of them. */
function pageByScore(table: string, byAll: string | undefined): string {
  return `${byAll === undefined ? 'ranked as (select urn, score from matched)' : rankMatches(table, byAll)}, page as (
      select urn, score, '{}'::text[] as keys, $3::integer + row_number() over (order by score desc, urn) as place
        from (select urn, score from ranked order by score desc, urn limit $2 offset $3) best
    )`;
}

function pageByOrder({ from, by, after, keys }: OrderClauses): string {
  return `page as (
      select urn, score, ${keys} as keys, $3::integer + row_number() over (order by ${by}) as place
        from (select * from ${from} where ${after} order by ${by} limit $2 offset $3) first
    )`;
}

/**
 * Ranks the matches that names rank best by all words. The others follow them in any case, because every
 * one of the best is computed anew to at least its score by names.
 */
function rankMatches(table: string, byAll: string): string {
  const best = `select urn, score from matched order by score desc, urn limit ${String(MAX_FULLY_RANKED)}`;
  return `best as materialized (
      ${best}
    ), ranked as (
      select b.urn, d.score
        from best b cross join lateral (
          select ${byAll} as score
            from (select weight, names, tokens || ''::tsvector as tokens from ${table} where urn = b.urn limit 1 offset 0) r
        ) d
      union all
      select m.urn, m.score
        from matched m, (select urn, score from best order by score, urn desc limit 1) l
       where m.score < l.score or m.score = l.score and m.urn > l.urn
    )`;
}

/**
 * Builds the condition on type, visibility and tokens.
 *
 * With tokens, type and `removed` take a form that no other index can answer, and whose frequency the planner knows. It
 * overestimates the cost of the pending tokens and would otherwise walk through all documents of the type.
 */
function matchCondition(kind: TextCondition['kind'], tokens: string, includesSoftDeleted = false): string {
  const hidden = includesSoftDeleted ? 'deleted' : 'removed';
  switch (kind) {
    case 'all':
      return `entity_type = any($1::text[]) and not ${hidden}`;
    case 'none':
      return 'entity_type = any($1::text[]) and false';
    case 'tsquery':
      return `(entity_type = any($1::text[])) is true and ${hidden} is false and tokens @@ ${tokens}`;
    default:
      return kind satisfies never;
  }
}
