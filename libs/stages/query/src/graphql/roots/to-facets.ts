import { ENTITY_TYPE_FIELD, parseUrn } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { NESTING } from '../../facets/choose-facets';
import type { EntityTypeNames } from '../entity-type-names';
import { EntityRef } from '../fields/values';

interface FoundFacet {
  readonly name: string;
  readonly displayName: string;
  readonly filterValues: readonly {
    readonly value: string;
    readonly facetCount: number;
    readonly displayName?: string;
  }[];
}

/** Names the facets of an answer as GraphQL clients do: entity types by their enum. */
export function toFacets({ metadata }: JsonOutputObject, names: EntityTypeNames): readonly object[] {
  const { aggregations } = metadata as unknown as { readonly aggregations: readonly FoundFacet[] };
  return aggregations.map(({ name, displayName, filterValues }) => {
    const types = name.split(NESTING).map((field) => field === ENTITY_TYPE_FIELD);
    return {
      field: name,
      displayName,
      aggregations: filterValues.map(({ value, facetCount, displayName: shown }) => ({
        value: value
          .split(NESTING)
          .map((part, at) => (types[at] === true ? names.nameOf(part) : part))
          .join(NESTING),
        count: facetCount,
        displayName: shown,
        entity: 'urn' in parseUrn(value) ? new EntityRef(value) : null,
      })),
    };
  });
}
