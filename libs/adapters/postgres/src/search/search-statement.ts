import type {
  PartitionSequences,
  QueryNode,
  SearchFilter,
  SearchHit,
  SearchRequest,
  SearchResult,
} from '@stratalog/model';
import { completionsIn } from '@stratalog/search-text';
import { buildFilterCondition, type FilterCondition } from './filter-condition';
import { buildOrderClauses, type OrderClauses } from './search-order';
import { StatementParameters } from '../database/statement-parameters';
import {
  collectFacets,
  countFacets,
  facetColumn,
  groupFacets,
  toFacets,
  type CountedValue,
} from './search-facets';
import { allOf, completionLexeme, toTsquery, type TextCondition } from './to-tsquery';

/** A row per hit in order, or one row without a hit. The first row carries total, facets and checkpoint. */
export interface SearchRow {
  readonly total: number;
  readonly urn: string | null;
  readonly score: number;
  readonly keys: readonly (string | null)[] | null;
  readonly body: string | null;
  readonly facets: readonly CountedValue[] | null;
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
  { facets }: Pick<SearchRequest, 'facets'>,
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
    facets: toFacets(first?.facets ?? [], facets.length),
    position: new Map(position),
  };
}

/** Weights of D, C, B and A in the score. */
const WEIGHTS = '{0.1, 0.3, 0.6, 1.0}';

/** Maximum number of matches that are ranked by all their words. Beyond it only names count, which costs a tenth. */
const MAX_FULLY_RANKED = 300;

/** Builds one statement for total, page, facets and checkpoint, so that all four read the same snapshot. */
export function searchStatement(
  table: string,
  indexVersion: number,
  request: SearchRequest,
): SearchStatement {
  const { entityTypes, count, start, facetLimit, query, filter, includesSoftDeleted } = request;
  const parameters = new StatementParameters([entityTypes, count, start, indexVersion]);
  const words = toTsquery(query);
  const wordsText = words.kind === 'tsquery' ? `${parameters.add(words.text)}::tsquery` : undefined;
  const matching = (own: SearchFilter | undefined): Matching =>
    buildMatching({ table, words, wordsText, includesSoftDeleted }, own, parameters);
  const matched = matching(filter);
  const order =
    request.order === undefined ? undefined : buildOrderClauses(request.order, request.after, parameters);
  const facets = facetColumn(request.facets);
  const groups = groupFacets(request.facets).map((group, at) => {
    if (group.filter === undefined) return { group, matches: 'matched', tables: [] };
    const matches = `matched_${String(at)}`;
    const from = matching(group.filter).from(0);
    return { group, matches, tables: [`${matches} as materialized (select ${facets} from ${from}), `] };
  });
  const counts = groups.flatMap(
    ({ group, matches }) => countFacets(matches, group, facetLimit, parameters) ?? [],
  );
  const completions = rankCompletions(query, parameters);
  const score = `${completions ?? ''}weight * ${wordsText === undefined ? '1::real' : `ts_rank('${WEIGHTS}', names, ${wordsText})`}`;
  const text = `
    with matched as materialized (
      select urn, ${facets}, ${score} as score${order?.columns ?? ''}
        from ${matched.from(request.order?.length ?? 0)}
    ), total as materialized (
      select count(*)::integer as n from matched
    ), ${groups.flatMap(({ tables }) => tables).join('')}${order === undefined ? pageByScore(table, completions === undefined ? wordsText : undefined) : pageByOrder(order)}
    select t.n as total, p.urn, p.score, p.keys, d.body,
           case when p.place is null or p.place = $3::integer + 1 then ${collectFacets(counts)} end as facets,
           case when p.place is null or p.place = $3::integer + 1 then
             (select json_object_agg(partition, seq) from search_checkpoint where index_version = $4) end as position
      from total t
      left join page p on true
      left join lateral (select body from ${table} where urn = p.urn limit 1) d on true
     order by p.place`;
  const { usesTokens } = matched;
  const isPlain =
    filter === undefined &&
    order === undefined &&
    completions === undefined &&
    groups.length === 1 &&
    includesSoftDeleted !== true;
  return {
    text,
    values: parameters.values,
    usesTokens,
    ...(usesTokens && isPlain ? { name: namePlain(table, request.facets) } : {}),
  };
}

/** Names the statement of a search by words alone, whose text depends on how many facets of each kind it counts. */
function namePlain(table: string, facets: SearchRequest['facets']): string {
  const pairs = facets.filter(({ fields }) => fields.length === 2).length;
  return `search-${table}-${String(facets.length - pairs)}-${String(pairs)}`;
}

/** The matches of a query and one filter. */
interface Matching {
  /** Builds what follows `from` in a select of the matches, which also reads `reads` fields of an order. */
  readonly from: (reads: number) => string;
  readonly usesTokens: boolean;
}

interface Matched {
  readonly table: string;
  readonly words: TextCondition;
  /** The words as a `tsquery`, if they are one. */
  readonly wordsText: string | undefined;
  readonly includesSoftDeleted: boolean | undefined;
}

function buildMatching(
  { table, words, wordsText = '', includesSoftDeleted }: Matched,
  filter: SearchFilter | undefined,
  parameters: StatementParameters,
): Matching {
  const own = filter === undefined ? undefined : buildFilterCondition(filter, parameters);
  const condition = own === undefined ? words : allOf([words, own.tokens]);
  // A search by words alone reuses the text that ranks.
  const tokens =
    condition.kind === 'tsquery' && own !== undefined
      ? `${parameters.add(condition.text)}::tsquery`
      : wordsText;
  const source = `${table} where ${matchCondition(condition.kind, tokens, includesSoftDeleted)}`;
  return {
    from: (reads) => buildSource(source, own?.rest, reads),
    usesTokens: condition.kind === 'tsquery',
  };
}

/** Score of a match by the start of a value for autocompletion, above every score of words; that of an equal value is twice it. */
const COMPLETION_SCORE = 100;

/** Builds an addend of the score for each completion in the query; `undefined` without one. */
function rankCompletions(query: QueryNode, parameters: StatementParameters): string | undefined {
  const leaves = completionsIn(query);
  if (leaves.length === 0) return undefined;
  const lexemes = leaves.map((leaf) => completionLexeme(leaf.field, leaf.start));
  const tests = ['', ':*'].map((suffix) => {
    const text = lexemes.map((lexeme) => lexeme + suffix).join(' | ');
    return `(names @@ ${parameters.add(text)}::tsquery)::integer`;
  });
  return `${String(COMPLETION_SCORE)} * (${tests.join(' + ')}) + `;
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
  return `(select urn, facets, folders, names, weight, keys || '{}'::jsonb as keys, tokens || ''::tsvector as tokens from ${source} offset 0) d
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
