import type { SearchAnswer } from '../output/search-page';

/** The answer of a search that finds these, with other members where given. */
export function searchAnswer(
  entities: SearchAnswer['entities'],
  { metadata, ...more }: Partial<Omit<SearchAnswer, 'metadata'>> & { readonly metadata?: object } = {},
): SearchAnswer {
  return {
    numEntities: entities.length,
    pageSize: 10,
    from: 0,
    entities,
    metadata: {
      urns: [],
      matches: [],
      searchResultMetadatas: [],
      aggregations: [],
      suggestions: [],
      ...metadata,
    },
    ...more,
  };
}
