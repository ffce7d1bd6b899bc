import { Semaphore } from '@stratalog/concurrency';
import type { SearchEngine } from '../engine/search-engine';
import { EngineIndexVersionStore } from '../index-versions/engine-index-version-store';
import { TIMESERIES_VERSIONS } from '../index-versions/version-registry';
import { SERIES_LAYOUT } from './build-series-mappings';
import { ElasticsearchTimeseriesIndex } from './timeseries-index';

/** Maximum number of concurrent statistics per process. */
const MAX_SEARCHES = 16;

/** Stores the versions of the index of timeseries values in one Elasticsearch or OpenSearch. */
export class ElasticsearchTimeseriesIndexVersionStore extends EngineIndexVersionStore<ElasticsearchTimeseriesIndex> {
  constructor(engine: SearchEngine) {
    const searches = new Semaphore(MAX_SEARCHES);
    super(engine, {
      kind: 'timeseries',
      registryId: TIMESERIES_VERSIONS,
      layout: SERIES_LAYOUT,
      buildShapes: () => [],
      open: (version, addPart) => new ElasticsearchTimeseriesIndex({ engine, searches, addPart }, version),
    });
  }
}
