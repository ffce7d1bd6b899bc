import { InvalidSettingError } from '@stratalog/domain';
import { Semaphore } from '@stratalog/concurrency';
import { LAYOUT, buildMappings, type IndexDivision } from '../engine/build-mappings';
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
  /** **Errors**: `InvalidSettingError` for slices that this engine does not know. */
  constructor(engine: SearchEngine, division: IndexDivision = {}) {
    if (division.slices !== undefined) requireSlices(engine);
    const searches = new Semaphore(MAX_SEARCHES);
    super(engine, {
      kind: 'search',
      registryId: SEARCH_VERSIONS,
      layout: LAYOUT,
      buildShapes: (id) => [
        buildMappings(engine.names.documents(id), { product: 'stratalog', indexVersion: id }, division),
      ],
      open: (version) => new ElasticsearchSearchIndex({ engine, searches }, version),
    });
  }
}

const SLICES_SINCE = [2, 17] as const;

function requireSlices({ product, version }: SearchEngine): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isKnown = major > SLICES_SINCE[0] || (major === SLICES_SINCE[0] && minor >= SLICES_SINCE[1]);
  if (product === 'opensearch' && isKnown) return;
  throw new InvalidSettingError(
    `STRATALOG_SEARCH_SLICES needs OpenSearch ${SLICES_SINCE.join('.')} or newer, and the search engine is ${product} ${version}: remove the setting`,
  );
}
