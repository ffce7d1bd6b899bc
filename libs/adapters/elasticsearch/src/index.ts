export { claimIndices } from './claim-indices';
export { openSearchEngine, type SearchEngineOptions } from './open-search-engine';
export { type SearchEngine } from './search-engine';
export { ElasticsearchSearchIndexes } from './search-indexes';
