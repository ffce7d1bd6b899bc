import type { Facet, SearchHit, SearchRequest } from '@stratalog/model';
import type { TextCondition } from './tsquery-of';

/** What the search statement answers: one row. */
export interface SearchRow {
  readonly total: number;
  readonly hits: readonly SearchHit[] | null;
  readonly facets: readonly Facet[] | null;
  readonly position: Readonly<Record<string, number>> | null;
}

/** Weights of D, C, B and A in the score. */
const WEIGHTS = '{0.1, 0.3, 0.6, 1.0}';

/** For each field that was asked for, its most frequent values among the matches. */
const FACETS = `(
  select json_agg(json_build_object('field', f.field, 'counts', coalesce(f.counts, '[]')) order by f.n)
    from (select n.field, n.n,
                 (select json_agg(json_build_object('value', c.value, 'count', c.count) order by c.count desc, c.value)
                    from (select v.value collate "C" as value, count(*)
                            from matched m cross join lateral jsonb_array_elements_text(m.facets -> n.field) v(value)
                           group by 1 order by count(*) desc, 1 limit $6) c) as counts
            from unnest($5::text[]) with ordinality n(field, n)) f)`;

/** One statement for total, page, facets and position, so that all four see the same state of the index. */
export function searchStatement(
  table: string,
  generation: number,
  request: SearchRequest,
  condition: TextCondition,
): { readonly text: string; readonly values: unknown[] } {
  const matches = matchesOf(condition);
  const text = `
    with matched as materialized (
      select urn, facets, ${condition.kind === 'tsquery' ? `ts_rank('${WEIGHTS}', tokens, $7::tsquery)` : '1::real'} as score
        from ${table} where entity_type = any($1::text[]) and not removed ${matches}
    ), page as (
      select urn, score from matched order by score desc, urn limit $2 offset $3
    )
    select (select count(*) from matched) as total,
           (select json_agg(json_build_object('urn', p.urn, 'score', p.score, 'values', d.body::json)
                            order by p.score desc, p.urn)
              from page p join ${table} d on d.urn = p.urn) as hits,
           ${FACETS} as facets,
           (select json_object_agg(partition, seq) from search_position where generation = $4) as position`;
  const { entityTypes, count, start, facets, facetLimit } = request;
  const values: unknown[] = [entityTypes, count, start, generation, facets, facetLimit];
  if (condition.kind === 'tsquery') values.push(condition.text);
  return { text, values };
}

function matchesOf(condition: TextCondition): string {
  switch (condition.kind) {
    case 'all':
      return '';
    case 'none':
      return 'and false';
    case 'tsquery':
      return 'and tokens @@ $7::tsquery';
    default:
      return condition satisfies never;
  }
}
