import { Semaphore } from '@stratalog/ports';
import { LAYOUT, buildMappings } from '../engine/build-mappings';
import type { SearchEngine } from '../engine/search-engine';
import { EngineIndexVersionStore } from '../index-versions/engine-index-version-store';
import { SEARCH_VERSIONS } from '../index-versions/version-registry';
import { ElasticsearchSearchIndex } from './search-index';

/**
 * Maximum number of concurrent searches per process. More would wait in the engine, where they cannot be removed after
 * their time limit.
 */
const MAX_SEARCHES = 32;

/** Stores the versions of the search index in one Elasticsearch or OpenSearch. */
export class ElasticsearchSearchIndexVersionStore extends EngineIndexVersionStore<ElasticsearchSearchIndex> {
  /** `shards` is the number of shards of a new version. Several share the work of one search. */
  constructor(engine: SearchEngine, shards = 1) {
    const searches = new Semaphore(MAX_SEARCHES);
    super(engine, {
      kind: 'search',
      registryId: SEARCH_VERSIONS,
      layout: LAYOUT,
      concurrency: 'several',
      buildShapes: (id) => [
        buildMappings(engine.names.documents(id), { product: 'stratalog', indexVersion: id }, shards),
      ],
      open: (version) => new ElasticsearchSearchIndex({ engine, searches }, version),
    });
  }
}
