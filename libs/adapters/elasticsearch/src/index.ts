export { claimIndices } from './index-versions/claim-indices';
export { openSearchEngine, type SearchEngineOptions } from './engine/open-search-engine';
export { type SearchEngine } from './engine/search-engine';
export { ElasticsearchSearchIndexVersions } from './search/search-index-versions';
