export { claimIndices } from './index-versions/claim-indices';
export { openSearchEngine } from './engine/open-search-engine';
export { ElasticsearchSearchIndexVersions } from './search/search-index-versions';
