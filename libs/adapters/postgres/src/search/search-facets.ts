import {
  isFolderFacet,
  type Facet,
  type FacetRequest,
  type SearchFilter,
  type SearchRequest,
} from '@stratalog/domain';
import { inSlices } from '@stratalog/concurrency';
import { countFacet, countIds, groupByField } from './facet-counts';
import type { FacetValues } from './facet-values';

/** Facets that are counted over the same matches. */
export interface FacetGroup {
  /** Absent: the matches of the request. */
  readonly filter?: SearchFilter;
  /** The facets, each with its place in the request. */
  readonly facets: readonly (FacetRequest & { readonly at: number })[];
}

/** Groups facets by their filters. */
export function groupFacets(facets: readonly FacetRequest[]): readonly FacetGroup[] {
  const groups = new Map<string, { filter?: SearchFilter; facets: (FacetRequest & { at: number })[] }>();
  for (const [at, facet] of facets.entries()) {
    const { filter } = facet;
    const key = filter === undefined ? '' : JSON.stringify(filter);
    const group = groups.get(key) ?? { ...(filter === undefined ? {} : { filter }), facets: [] };
    groups.set(key, group);
    group.facets.push({ ...facet, at });
  }
  return [...groups.values()];
}

/**
 * Returns the expression for the ids of a match's values of these facets. Folders lie in a column of their own, because only browsing
 * counts them.
 */
export function facetIds(facets: readonly FacetRequest[]): string {
  const folders = facets.filter(({ fields }) => fields.some(isFolderFacet)).length;
  if (folders === 0) return 'facet_ids';
  return folders === facets.length ? 'folder_ids' : 'facet_ids || folder_ids';
}

/** Builds the select of the ids of all matches as one value, with `NO_ID` between two matches. */
export function collectIds(expression: string, matches: string): string {
  return `(select string_agg(${expression}, '\\x00'::bytea) from ${matches})`;
}

/**
 * Counts the facets of a request. `readMatches` returns the ids of the matches of a group, by its place in {@link groupFacets}, or `null`
 * for none.
 *
 * The server sends ids and counts nothing: to group the values of 100,000 matches takes it longer than everything else.
 */
export async function countFacets(
  { facets, facetLimit }: Pick<SearchRequest, 'facets' | 'facetLimit'>,
  readMatches: (group: number) => Buffer | null,
  stored: FacetValues,
): Promise<readonly Facet[]> {
  const counted: Facet[] = facets.map(() => ({ counts: [] }));
  for (const [at, group] of groupFacets(facets).entries()) {
    const matches = readMatches(at);
    if (matches === null) continue;
    const { counts, ids } = await inSlices(countIds(matches));
    const own = { matches, counts, fields: groupByField(await stored.read(ids)) };
    for (const facet of group.facets) {
      counted[facet.at] = await inSlices(countFacet(own, facet, facetLimit));
    }
  }
  return counted;
}
