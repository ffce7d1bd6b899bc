import type { JsonObject, JsonValue } from '@stratalog/model';
import { toList, objectOf, toText } from './json-parts';

/** One page of search hits, prepared for printing. */
export interface SearchPage {
  readonly total: number;
  readonly hits: readonly SearchLine[];
  readonly facets: readonly SearchFacet[];
  /** How the hits match, when none has all words of the query. */
  readonly fallback?: string;
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

/**
 * Parses the body of a search. Catalogs answer in two versions of the shape, and it reads both: hits as plain
 * urns with their matches alongside, or as objects with the matches inside.
 */
export function parseSearchPage(body: JsonObject): SearchPage {
  const value = objectOf(body.value);
  const metadata = objectOf(value.metadata);
  const outer = toList(metadata.matches);
  const facets = metadata.searchResultMetadatas ?? metadata.aggregations;
  return {
    total: Number(value.numEntities ?? 0),
    hits: toList(value.entities).map((hit, place) => parseSearchLine(hit, objectOf(outer[place]))),
    ...(typeof metadata.fallback === 'string' ? { fallback: metadata.fallback } : {}),
    suggestions: toList(metadata.suggestions).map((suggestion) => toText(objectOf(suggestion).text)),
    facets: toList(facets).map((facet) => parseSearchFacet(objectOf(facet))),
  };
}

function parseSearchLine(hit: JsonValue, outer: JsonObject): SearchLine {
  const inside = objectOf(hit);
  const matched = toList(inside.matchedFields ?? outer.matchedFields).map((field) => {
    const { name, value } = objectOf(field);
    return { name: toText(name), value: toText(value) };
  });
  return { urn: typeof hit === 'string' ? hit : toText(inside.entity), matched };
}

function parseSearchFacet(facet: JsonObject): SearchFacet {
  const counts = Object.entries(objectOf(facet.aggregations)).map(([value, count]) => ({
    value,
    count: Number(count),
  }));
  return { name: toText(facet.name), counts: counts.sort((a, b) => b.count - a.count) };
}
