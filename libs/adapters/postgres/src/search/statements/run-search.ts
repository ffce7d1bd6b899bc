import type { SearchHit, SearchRequest } from '@stratalog/domain';
import type { PoolClient } from 'pg';
import { pipelined } from '../../database/pipelined';
import type { PlannedSearch } from './matching';
import { PageReader, type WalkLimits } from './page-reader';
import { rankedStatement } from './ranked-statement';
import { runPlanned } from './run-planned';
import { toHits, type CountRow, type FacetRow, type HitRow } from './search-rows';
import { countStatement, facetStatements } from './unranked-statements';

/** The rows of a search, of one snapshot. */
export interface SearchRows {
  readonly counted: CountRow | undefined;
  readonly hits: readonly SearchHit[];
}

/** True when words rank the hits; otherwise they have a fixed order. */
export function isRanked({ order, ranking = [] }: SearchRequest): boolean {
  return order === undefined && ranking.length > 0;
}

/** Is called with total, facet ids and position of all matches as soon as they are known, so that facets are counted while the page is read. */
export type OnCounted = (counted: CountRow | undefined) => void;

/** Runs a search whose hits are ranked by their words. */
export async function runRanked(
  client: PoolClient,
  search: PlannedSearch,
  onCounted: OnCounted,
): Promise<SearchRows> {
  const [, , { rows }] = await pipelined([
    client.query('begin read only'),
    ...runPlanned<CountRow & HitRow>(client, rankedStatement(search)),
    client.query('commit'),
  ]);
  const [counted] = rows;
  onCounted(counted);
  return { counted, hits: toHits(rows) };
}

/** Runs a search whose hits have a fixed order: counts the matches, and then reads the page in the way that suits their number. */
export async function runUnranked(
  client: PoolClient,
  search: PlannedSearch,
  { limits, onCounted }: { readonly limits: WalkLimits; readonly onCounted: OnCounted },
): Promise<SearchRows> {
  const started = client.query('begin isolation level repeatable read read only');
  const counting = runPlanned<CountRow>(client, countStatement(search, limits.fewByKeys));
  const facets = facetStatements(search).map((statement) => runPlanned<FacetRow>(client, statement));
  const [, , { rows }] = await pipelined([started, ...counting, ...facets.flat()]);
  const ofFacets = await Promise.all(facets.map(([, result]) => result));
  const [matched] = rows;
  if (matched === undefined) throw new Error('The count of matches has no row');
  const counted = ofFacets.reduce<CountRow>((all, result) => ({ ...all, ...result.rows[0] }), matched);
  const reading = new PageReader(client, search, limits).read(counted);
  onCounted(counted);
  const hits = await reading;
  await client.query('commit');
  return { counted, hits: toHits(hits) };
}
