export { QUERY_CONTROLLERS, queryStage } from './query.module';
export { resolveType, resolveTypes } from './search/resolve-types';
export { type SearchDeps } from './search/query-index';
export { searchEntities } from './search/search-entities';
export { readSynonyms } from './vocabulary/read-synonyms';
export { DisplayNames } from './facets/display-names';
export { Vocabularies } from './vocabulary/vocabularies';
export { type QueryRoutes } from './query-routes';
