import type { Facet, PartitionSequences, SearchHit, SearchRequest, SearchResult } from '@stratalog/model';
import { buildFilterCondition, type FilterCondition } from './filter-condition';
import { buildOrderClauses, type OrderClauses } from './search-order';
import { StatementParameters } from '../database/statement-parameters';
import { allOf, toTsquery, type TextCondition } from './to-tsquery';

/** A row per hit in order, or one row without a hit. The first row carries total, facets and checkpoint. */
export interface SearchRow {
  readonly total: number;
  readonly urn: string | null;
  readonly score: number;
  readonly keys: readonly (string | null)[] | null;
  readonly body: string | null;
  readonly facets: readonly Facet[] | null;
  readonly position: Readonly<Record<string, number>> | null;
}

export interface SearchStatement {
  readonly text: string;
  readonly values: unknown[];
  /** True when the token index answers the statement. */
  readonly usesTokens: boolean;
  /** Set for statements with a constant text and one good plan; the server prepares them once per connection. */
  readonly name?: string;
}

/** Converts the rows of the search statement to a result. */
export function toResult(
  rows: readonly SearchRow[],
): SearchResult & { readonly position: PartitionSequences } {
  const first = rows[0];
  const position = Object.entries(first?.position ?? {}).map(
    ([partition, seq]) => [Number(partition), seq] as const,
  );
  return {
    total: first?.total ?? 0,
    hits: rows.flatMap(({ urn, score, keys, body }) =>
      urn === null || body === null
        ? []
        : [{ urn, score, values: JSON.parse(body) as SearchHit['values'], keys: keys ?? [] }],
    ),
    facets: first?.facets ?? [],
    position: new Map(position),
  };
}

/** Weights of D, C, B and A in the score. */
const WEIGHTS = '{0.1, 0.3, 0.6, 1.0}';

/**
 * Counts, for each requested field, its most frequent values among the matches.
 *
 * It first groups matches with equal value lists, because unnesting the lists costs more than grouping.
 */
const FACETS = `(
  select json_agg(json_build_object('field', f.field, 'counts', coalesce(f.counts, '[]')) order by f.n)
    from (select n.field, n.n,
                 (select json_agg(json_build_object('value', c.value, 'count', c.count) order by c.count desc, c.value)
                    from (select v.value collate "C" as value, sum(g.count)::bigint as count
                            from (select m.facets -> n.field as list, count(*) from matched m group by 1) g
                           cross join lateral jsonb_array_elements_text(g.list) v(value)
                           group by 1 order by 2 desc, 1 limit $6) c) as counts
            from unnest($5::text[]) with ordinality n(field, n)) f)`;

/** Maximum number of matches that are ranked by all their words. Beyond it only names count, which costs a tenth. */
const MAX_FULLY_RANKED = 300;

/** Builds one statement for total, page, facets and checkpoint, so that all four read the same snapshot. */
export function searchStatement(
  table: string,
  indexVersion: number,
  request: SearchRequest,
): SearchStatement {
  const { entityTypes, count, start, facets, facetLimit } = request;
  const parameters = new StatementParameters([entityTypes, count, start, indexVersion, facets, facetLimit]);
  const words = toTsquery(request.query);
  const wordsText = words.kind === 'tsquery' ? `${parameters.add(words.text)}::tsquery` : undefined;
  const filter = request.filter === undefined ? undefined : buildFilterCondition(request.filter, parameters);
  const condition = filter === undefined ? words : allOf([words, filter.tokens]);
  // A search by words alone reuses the text that ranks.
  const tokens =
    condition.kind === 'tsquery' && filter !== undefined
      ? `${parameters.add(condition.text)}::tsquery`
      : (wordsText ?? '');
  const source = `${table} where ${matchCondition(condition.kind, tokens, request.includesSoftDeleted)}`;
  const order =
    request.order === undefined ? undefined : buildOrderClauses(request.order, request.after, parameters);
  const text = `
    with matched as materialized (
      select urn, facets, weight * ${wordsText === undefined ? '1::real' : `ts_rank('${WEIGHTS}', names, ${wordsText})`} as score${order?.columns ?? ''}
        from ${buildSource(source, filter?.rest, request.order?.length ?? 0)}
    ), total as materialized (
      select count(*)::integer as n from matched
    ), ${order === undefined ? pageByScore(table, wordsText) : pageByOrder(order)}
    select t.n as total, p.urn, p.score, p.keys, d.body,
           case when p.place is null or p.place = $3::integer + 1 then ${FACETS} end as facets,
           case when p.place is null or p.place = $3::integer + 1 then
             (select json_object_agg(partition, seq) from search_checkpoint where index_version = $4) end as position
      from total t
      left join page p on true
      left join lateral (select body from ${table} where urn = p.urn limit 1) d on true
     order by p.place`;
  const usesTokens = condition.kind === 'tsquery';
  const isPlain = filter === undefined && order === undefined && request.includesSoftDeleted !== true;
  return {
    text,
    values: parameters.values,
    usesTokens,
    ...(usesTokens && isPlain ? { name: `search-${table}` } : {}),
  };
}

/**
 * Builds the source of the matches, and avoids fetching out-of-line columns repeatedly.
 *
 * Each expression that names `keys` or `tokens` fetches the column again. When several do, both are concatenated with
 * an empty value first: the results lie in memory and are shared. The planner drops the unused one; `offset 0` keeps it
 * from merging the two selects.
 */
function buildSource(source: string, rest: FilterCondition['rest'], orders: number): string {
  const text = rest?.text ?? 'true';
  if ((rest?.reads ?? 0) + orders < 2) return `${source} and ${text}`;
  return `(select urn, facets, names, weight, keys || '{}'::jsonb as keys, tokens || ''::tsvector as tokens from ${source} offset 0) d
       where ${text}`;
}

/** Selects the hits of the page before it numbers them. Numbering all matches would sort all of them. */
function pageByScore(table: string, wordsText: string | undefined): string {
  return `ranked as (
      ${wordsText === undefined ? 'select urn, score from matched' : rankMatches(table, wordsText)}
    ), page as (
      select urn, score, '{}'::text[] as keys, $3::integer + row_number() over (order by score desc, urn) as place
        from (select urn, score from ranked order by score desc, urn limit $2 offset $3) best
    )`;
}

function pageByOrder({ by, after, keys }: OrderClauses): string {
  return `page as (
      select urn, score, ${keys} as keys, $3::integer + row_number() over (order by ${by}) as place
        from (select * from matched where ${after} order by ${by} limit $2 offset $3) first
    )`;
}

/** Only one of the two branches runs, depending on the number of matches. */
function rankMatches(table: string, wordsText: string): string {
  return `select m.urn, d.weight * ts_rank('${WEIGHTS}', d.tokens, ${wordsText}) as score
        from matched m cross join lateral (select tokens, weight from ${table} where urn = m.urn limit 1) d
       where (select n from total) <= ${MAX_FULLY_RANKED}
      union all
      select urn, score from matched where (select n from total) > ${MAX_FULLY_RANKED}`;
}

/**
 * Builds the condition on type, visibility and tokens.
 *
 * With tokens, type and `removed` take a form that no other index can answer. The planner overestimates the cost of the
 * pending tokens and would otherwise walk through all documents of the type.
 */
function matchCondition(kind: TextCondition['kind'], tokens: string, includesSoftDeleted = false): string {
  const hidden = includesSoftDeleted ? 'deleted' : 'removed';
  switch (kind) {
    case 'all':
      return `entity_type = any($1::text[]) and not ${hidden}`;
    case 'none':
      return 'entity_type = any($1::text[]) and false';
    case 'tsquery':
      return `entity_type || '' = any($1::text[]) and ${hidden} is false and tokens @@ ${tokens}`;
    default:
      return kind satisfies never;
  }
}
