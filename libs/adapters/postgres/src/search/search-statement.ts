import type { Facet, PartitionSequences, SearchHit, SearchRequest, SearchResult } from '@stratalog/model';
import { buildFilterCondition, type FilterCondition } from './filter-condition';
import { buildOrderClauses, type OrderClauses } from './search-order';
import { StatementParameters } from '../database/statement-parameters';
import { allOf, toTsquery, type TextCondition } from './to-tsquery';

/** What the search statement answers: a row for each hit in order, or one without hit; what is told once stands in the first. */
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
  /** True when the token index answers it. */
  readonly usesTokens: boolean;
  /** Of statements that are the same text every time, and have one good plan whatever is asked: the server prepares them once per connection. */
  readonly name?: string;
}

/** The rows of the search statement as a result. */
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
 * For each field that was asked for, its most frequent values among the matches. Matches with the same values are counted first,
 * because taking the values apart costs more than that.
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

/** Up to so many matches are ranked by all their words; beyond, only by their names, which costs a tenth. */
const MAX_FULLY_RANKED = 300;

/** One statement for total, page, facets and position, so that all four see the same state of the index. */
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
  // For a search by words alone it is the same text that ranks.
  const tokens =
    condition.kind === 'tsquery' && filter !== undefined
      ? `${parameters.add(condition.text)}::tsquery`
      : (wordsText ?? '');
  const asked = `${table} where ${asksOf(condition.kind, tokens, request.includesSoftDeleted)}`;
  const order =
    request.order === undefined ? undefined : buildOrderClauses(request.order, request.after, parameters);
  const text = `
    with matched as materialized (
      select urn, facets, weight * ${wordsText === undefined ? '1::real' : `ts_rank('${WEIGHTS}', names, ${wordsText})`} as score${order?.columns ?? ''}
        from ${sourceOf(asked, filter?.rest, request.order?.length ?? 0)}
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
 * Keys and tokens are stored out of line, and each expression that names one fetches it again. Where several do, both are concatenated with
 * nothing first: the results lie in memory and are shared. The planner leaves out the one that no expression names; the offset keeps it from
 * merging the two selects again.
 */
function sourceOf(asked: string, rest: FilterCondition['rest'], orders: number): string {
  const text = rest?.text ?? 'true';
  if ((rest?.reads ?? 0) + orders < 2) return `${asked} and ${text}`;
  return `(select urn, facets, names, weight, keys || '{}'::jsonb as keys, tokens || ''::tsvector as tokens from ${asked} offset 0) d
       where ${text}`;
}

/** The hits of the page are chosen before they are numbered: numbered among all matches, all of them would have to be sorted. */
function pageByScore(table: string, wordsText: string | undefined): string {
  return `ranked as (
      ${wordsText === undefined ? 'select urn, score from matched' : rankedOf(table, wordsText)}
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

/** Of the two branches only one runs, decided by the number of matches. */
function rankedOf(table: string, wordsText: string): string {
  return `select m.urn, d.weight * ts_rank('${WEIGHTS}', d.tokens, ${wordsText}) as score
        from matched m cross join lateral (select tokens, weight from ${table} where urn = m.urn limit 1) d
       where (select n from total) <= ${MAX_FULLY_RANKED}
      union all
      select urn, score from matched where (select n from total) > ${MAX_FULLY_RANKED}`;
}

/**
 * With tokens, type and `removed` are asked in a form that no other index can answer: the planner overrates what the waiting
 * tokens cost, and would walk through all documents of the type instead.
 */
function asksOf(kind: TextCondition['kind'], tokens: string, includesSoftDeleted = false): string {
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
