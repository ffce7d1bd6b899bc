import type { FieldOrder, SearchHit, SearchRequest } from '@stratalog/model';
import type { PoolClient, QueryResultRow } from 'pg';
import { inOneGo } from '../../database/in-one-go';
import type { PlannedSearch } from './matching';
import { rankedStatement } from './ranked-statement';
import { toHits, type CountRow, type FacetRow, type HitRow, type SearchStatement } from './search-rows';
import {
  countStatement,
  facetStatements,
  pageByFields,
  pageByUrn,
  pageByWeight,
  pageEndStatement,
  type PageEnd,
  type PageSource,
} from './unranked-statements';

/** The rows of a search, of one snapshot. */
export interface SearchRows {
  readonly counted: CountRow | undefined;
  readonly hits: readonly SearchHit[];
}

/** True when words rank the hits; otherwise they have a fixed order. */
export function isRanked({ order, ranking = [] }: SearchRequest): boolean {
  return order === undefined && ranking.length > 0;
}

/** Runs a search whose hits are ranked by their words. */
export async function runRanked(client: PoolClient, search: PlannedSearch): Promise<SearchRows> {
  const [, , rows] = await inOneGo([
    client.query('begin read only'),
    ...runPlanned<CountRow & HitRow>(client, rankedStatement(search)),
    client.query('commit'),
  ]);
  return { counted: rows.rows[0], hits: toHits(rows.rows) };
}

/** Runs a search whose hits have a fixed order: counts the matches, and then reads the page in the way that suits their number. */
export async function runUnranked(
  client: PoolClient,
  search: PlannedSearch,
  limits: WalkLimits,
): Promise<SearchRows> {
  const begun = client.query('begin isolation level repeatable read read only');
  const counting = runPlanned<CountRow>(client, countStatement(search, limits.fewByKeys));
  const facets = facetStatements(search).map((statement) => runPlanned<FacetRow>(client, statement));
  const [, , { rows }] = await inOneGo([begun, ...counting, ...facets.flat()]);
  const ofFacets = await Promise.all(facets.map(([, result]) => result));
  const [matched] = rows;
  if (matched === undefined) throw new Error('The count of matches has no row');
  const counted = ofFacets.reduce<CountRow>((all, result) => ({ ...all, ...result.rows[0] }), matched);
  const hits = await readPage(client, search, counted, limits);
  await client.query('commit');
  return { counted, hits: toHits(hits) };
}

/** Decides which pages are looked for by a walk through documents or keys in the order of the hits. */
export interface WalkLimits {
  /** Up to this number of matches, all of them are ordered. */
  readonly fewMatches: number;
  /** The same for matches that cost much to find, and whose ids the count returns. */
  readonly fewByKeys: number;
  /** Last place of a page that a walk looks for. */
  readonly maxPlace: number;
  /** Number of documents or keys that a walk tests. It bounds the time of a walk that meets no match. */
  readonly walked: number;
}

export const WALK_LIMITS: WalkLimits = { fewMatches: 1_000, fewByKeys: 10_000, maxPlace: 200, walked: 1_000 };

async function readPage(
  client: PoolClient,
  search: PlannedSearch,
  { total, few }: CountRow,
  { fewMatches, maxPlace, walked }: WalkLimits,
): Promise<readonly HitRow[]> {
  const { order, after, start, count, includesSoftDeleted } = search.request;
  const rows = async <Row extends QueryResultRow>(statement: SearchStatement): Promise<readonly Row[]> => {
    const [, result] = await inOneGo(runPlanned<Row>(client, statement));
    return result.rows;
  };
  if (count === 0 || start >= total) return [];
  const isFew = few !== undefined && few !== null;
  const canWalk = !isFew && total > fewMatches && start + count <= maxPlace;
  const from: Exclude<PageSource, { kind: 'walk' }> = isFew ? { kind: 'few', ids: few } : { kind: 'matches' };
  if (order !== undefined && isByFields(order)) {
    const [end] =
      canWalk && after?.keys[0] !== null
        ? await rows<PageEnd>(pageEndStatement(search, order[0], walked))
        : [];
    return rows(pageByFields(search, order, { from, pageEnd: end?.entry }));
  }
  const page = order === undefined ? pageByWeight : pageByUrn;
  // The index by weight leaves soft-deleted documents out.
  if (canWalk && (order !== undefined || includesSoftDeleted !== true)) {
    const found = await rows<HitRow>(page(search, { kind: 'walk', walked }));
    if (found.length === Math.min(count, total - start)) return found;
  }
  return rows(page(search, from));
}

function isByFields(order: readonly FieldOrder[]): order is readonly [FieldOrder, ...FieldOrder[]] {
  return order.length > 0;
}

/**
 * Sends a statement with planner settings.
 *
 * A statement with tokens must use the token index: a scan would fetch every document's tokens from out of line, which
 * the planner does not count. `work_mem` holds a hundred thousand matches. More processes for one search would each build
 * the same hash of keys, and take the processor from other searches. A prepared statement keeps its generic plan,
 * because planning a plain search takes longer than finding a few documents.
 */
function runPlanned<Row extends QueryResultRow>(
  client: PoolClient,
  { name, text, values, usesTokens }: SearchStatement,
) {
  const scans = usesTokens ? 'off' : 'on';
  const plans = name === undefined ? 'auto' : 'force_generic_plan';
  return [
    client.query(
      `set local enable_seqscan = ${scans}; set local work_mem = '32MB'; set local max_parallel_workers_per_gather = 0; set local plan_cache_mode = ${plans}`,
    ),
    client.query<Row>(name === undefined ? { text, values } : { name, text, values }),
  ] as const;
}
