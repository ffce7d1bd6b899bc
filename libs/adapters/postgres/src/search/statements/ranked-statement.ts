import { hash } from 'node:crypto';
import { StatementParameters } from '../../database/statement-parameters';
import { buildMatching, type PlannedSearch } from './matching';
import { buildScore, type ScoreExpressions } from './score-expression';
import { collectIds, facetIds, groupFacets } from '../search-facets';
import { facetColumn, type SearchStatement } from './search-rows';

/**
 * Number of matches that are ranked by all their words: the best by their names. The tokens of every match would take
 * seconds to read.
 */
const MAX_FULLY_RANKED = 300;

/**
 * Builds the statement of a search whose hits are ranked by their words: one for total, page, matches of facets and checkpoint, so
 * that all four read the same snapshot.
 *
 * **Shape**: rows of `CountRow` and `HitRow` in one; a row per hit in order, or one row without a hit. Only the first row has the members of
 * `CountRow`, except the total.
 */
export function rankedStatement(search: PlannedSearch): SearchStatement {
  const { tables, indexVersion, request } = search;
  const { count, start, ranking = [], filter } = request;
  const parameters = new StatementParameters([count, start, indexVersion]);
  const matched = buildMatching(search, filter, parameters);
  const ids = facetIds(request.facets);
  const groups = groupFacets(request.facets).map(({ filter: own }) =>
    own === undefined
      ? collectIds('ids', 'matched')
      : collectIds(ids, buildMatching(search, own, parameters).from),
  );
  const countsMatches = request.facets.some((facet) => facet.filter === undefined);
  const score = buildScore(ranking, parameters);
  const text = `
    with matched as materialized (
      select urn, ${countsMatches ? `${ids} as ids, ` : ''}${score.byNames} as score
        from ${matched.from}
    ), total as materialized (
      select count(*)::integer as n from matched
    ), ${pageByScore(tables.documents, score, start + count)}
    select t.n as total, p.urn, p.score, d.body,
           ${groups.map((group, at) => `${ofFirstRow(group)} as ${facetColumn(at)}, `).join('')}
           ${ofFirstRow('(select json_object_agg(partition, seq) from search_checkpoint where index_version = $3)')} as position
      from total t
      left join page p on true
      left join lateral (select body from ${tables.documents} where urn = p.urn limit 1) d on true
     order by p.place`;
  const { usesTokens } = matched;
  const isPlain =
    filter === undefined &&
    request.urns === undefined &&
    request.facets.every((facet) => facet.filter === undefined) &&
    ranking.length <= MAX_PREPARED_TERMS &&
    request.includesSoftDeleted !== true;
  return {
    text,
    values: parameters.values,
    usesTokens,
    ...(usesTokens && isPlain ? { name: `${tables.documents}-${hash('sha1', text).slice(0, 16)}` } : {}),
  };
}

/** Builds an expression that only the first row of the statement has. */
function ofFirstRow(expression: string): string {
  return `case when p.place is null or p.place = $2::integer + 1 then ${expression} end`;
}

/** Most terms of a prepared ranking: those of three words. Each number of terms is a statement of its own on every connection. */
const MAX_PREPARED_TERMS = 14;

/** Selects the hits of the page before it numbers them. Numbering all matches would sort all of them. */
function pageByScore(table: string, { byAll, namesDecide }: ScoreExpressions, lastPlace: number): string {
  const ranked =
    byAll === undefined
      ? 'ranked as (select urn, score from matched)'
      : rankMatches(table, { byAll, namesDecide }, lastPlace > MAX_FULLY_RANKED);
  return `${ranked}, page as (
      select urn, score, $2::integer + row_number() over (order by score desc, urn) as place
        from (select urn, score from ranked order by score desc, urn limit $1 offset $2) best
    )`;
}

/**
 * Ranks the matches that names rank best by all words. The others follow them in any case, because every
 * one of the best is computed again to at least its score by names; a page within the best does not need them.
 *
 * The statement fetches the tokens only of matches whose score they may change.
 */
function rankMatches(
  table: string,
  { byAll, namesDecide }: { readonly byAll: string; readonly namesDecide: string | undefined },
  includesOthers: boolean,
): string {
  const best = `select urn, score from matched order by score desc, urn limit ${String(MAX_FULLY_RANKED)}`;
  const others = `
      union all
      select m.urn, m.score
        from matched m, (select urn, score from best order by score, urn desc limit 1) l
       where m.score < l.score or m.score = l.score and m.urn > l.urn`;
  const full = `(select ${byAll} from (select r.weight, r.names, r.tokens || ''::tsvector as tokens offset 0) t)`;
  return `best as materialized (
      ${best}
    ), ranked as (
      select b.urn, ${namesDecide === undefined ? full : `case when ${namesDecide} then b.score else ${full} end`} as score
        from best b
        cross join lateral (select weight, names, tokens from ${table} where urn = b.urn limit 1) r${includesOthers ? others : ''}
    )`;
}
