import type { Stage } from '@stratalog/ports';
import { SearchIndexer, type IndexerParts } from './search-indexer';

/** Follows the change log with the search index. */
export const indexerStage: Stage<IndexerParts, never> = {
  name: 'indexer',
  open: (parts) => ({ consumers: [{ name: 'indexer', consumption: new SearchIndexer(parts) }] }),
};
