import type { AnswerOf } from '@stratalog/client';

export type SearchAnswer = AnswerOf<'POST /entities?action=searchAcrossEntities'>;

/** One page of search hits, prepared for printing. */
export interface SearchPage {
  readonly total: number;
  readonly hits: readonly SearchLine[];
  readonly facets: readonly SearchFacet[];
  /** How the hits match, when none has all words of the query. */
  readonly fallback?: SearchAnswer['metadata']['fallback'];
  /** Other spellings of a query that matches nothing. */
  readonly suggestions: readonly string[];
}

export interface SearchLine {
  readonly urn: string;
  readonly matched: readonly { readonly name: string; readonly value: string }[];
}

export interface SearchFacet {
  readonly name: string;
  readonly counts: readonly { readonly value: string; readonly count: number }[];
}

/** Makes a page of the answer of a search. */
export function toSearchPage({ numEntities, entities, metadata }: SearchAnswer): SearchPage {
  const { matches, suggestions, fallback } = metadata;
  return {
    total: numEntities,
    hits: entities.map((hit, place) =>
      typeof hit === 'string'
        ? { urn: hit, matched: matches[place]?.matchedFields ?? [] }
        : { urn: hit.entity, matched: hit.matchedFields },
    ),
    ...(fallback === undefined ? {} : { fallback }),
    suggestions: suggestions.map(({ text }) => text),
    facets: metadata.searchResultMetadatas.map(toSearchFacet),
  };
}

function toSearchFacet({
  name,
  aggregations,
}: SearchAnswer['metadata']['searchResultMetadatas'][number]): SearchFacet {
  const counts = Object.entries(aggregations).map(([value, count]) => ({ value, count }));
  return { name, counts: counts.sort((a, b) => b.count - a.count) };
}
