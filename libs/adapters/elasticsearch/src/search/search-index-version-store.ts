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

/** How the engine divides a new version, so that one search is shared. */
export interface SearchIndexLayout {
  /** Number of shards; several nodes share a search of several. */
  readonly shards?: number;
  /** Number of processors that search a shard together; absent: the engine decides. */
  readonly slices?: number;
}

/** Stores the versions of the search index in one Elasticsearch or OpenSearch. */
export class ElasticsearchSearchIndexVersionStore extends EngineIndexVersionStore<ElasticsearchSearchIndex> {
  constructor(engine: SearchEngine, { shards = 1, slices }: SearchIndexLayout = {}) {
    const searches = new Semaphore(MAX_SEARCHES);
    super(engine, {
      kind: 'search',
      registryId: SEARCH_VERSIONS,
      layout: LAYOUT,
      ...(slices === undefined ? {} : { slices }),
      buildShapes: (id) => [
        buildMappings(engine.names.documents(id), { product: 'stratalog', indexVersion: id }, shards),
      ],
      open: (version) => new ElasticsearchSearchIndex({ engine, searches }, version),
    });
  }
}
