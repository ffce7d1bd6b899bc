import { parseUrn, type Facet } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { NESTING, listRequests, type ChosenFacet } from './choose-facets';

/** A facet with its counted values. */
export interface CountedFacet {
  readonly name: string;
  readonly displayName: string;
  readonly values: readonly CountedValue[];
}

interface CountedValue {
  readonly value: string;
  readonly count: number;
  /** True for a value that the request's filter selects. */
  readonly isSelected: boolean;
}

/**
 * Joins the chosen facets and the index's counts, which come in the order of {@link listRequests}. A facet without a value is
 * left out.
 *
 * **Order and repeats**: the most frequent value first. A selected value without a match counts 0 and comes last. A nested
 * facet has the values of its first field, and then the pairs.
 */
export function countFacets(
  chosen: readonly ChosenFacet[],
  counted: readonly Facet[],
): readonly CountedFacet[] {
  const answers = new Map(listRequests(chosen).map((request, at) => [request, counted[at]]));
  const facets = chosen.map(({ name, displayName, requests, selected }) => {
    const counts = requests.flatMap((request) => answers.get(request)?.counts ?? []);
    const values = counts.map(({ values: parts, count }) => {
      const value = parts.join(NESTING);
      return { value, count, isSelected: selected.includes(value) };
    });
    const present = new Set(values.map(({ value }) => value));
    const absent = selected.filter((value) => !present.has(value));
    return {
      name,
      displayName,
      values: [...values, ...absent.map((value) => ({ value, count: 0, isSelected: true }))],
    };
  });
  return facets.filter(({ values }) => values.length > 0);
}

/** Lists the urns among the values of facets, each once. */
export function urnsIn(facets: readonly CountedFacet[]): readonly string[] {
  const values = facets.flatMap((facet) => facet.values.map(({ value }) => value));
  return [...new Set(values.filter((value) => 'urn' in parseUrn(value)))];
}

/**
 * Formats facets in the contract's form and in that of newer clients, side by side.
 *
 * `names` has the display names of entities, by urn.
 */
export function formatFacets(
  facets: readonly CountedFacet[],
  names: ReadonlyMap<string, string>,
): {
  readonly searchResultMetadatas: readonly JsonOutputObject[];
  readonly aggregations: readonly JsonOutputObject[];
} {
  return {
    searchResultMetadatas: facets.map(({ name, values }) => ({ name, aggregations: toCounts(values) })),
    aggregations: facets.map(({ name, displayName, values }) => ({
      name,
      displayName,
      aggregations: toCounts(values),
      filterValues: values.map((value) => formatValue(value, names.get(value.value))),
    })),
  };
}

function toCounts(values: readonly CountedValue[]): JsonOutputObject {
  return Object.fromEntries(values.map(({ value, count }) => [value, count]));
}

function formatValue(
  { value, count, isSelected }: CountedValue,
  displayName: string | undefined,
): JsonOutputObject {
  return {
    value,
    ...(value.startsWith('urn:') ? { entity: value } : {}),
    ...(displayName === undefined ? {} : { displayName }),
    facetCount: count,
    ...(isSelected ? { filtered: true } : {}),
  };
}
