export { claimIndices } from './index-versions/claim-indices';
export { openSearchEngine } from './engine/open-search-engine';
export { ElasticsearchSearchIndexVersionStore } from './search/search-index-version-store';
export { ElasticsearchTimeseriesIndexVersionStore } from './timeseries/timeseries-index-version-store';
