import { IndexFollower, indexLag } from '@stratalog/indexing';
import type { AspectStore, ChangeLog, SearchIndexVersions, Stage } from '@stratalog/ports';
import { searchProjection } from '@stratalog/projection';
import type { EntityRegistry } from '@stratalog/registry';

export interface IndexerDeps {
  readonly store: AspectStore;
  readonly registry: EntityRegistry;
  readonly changes: ChangeLog;
  readonly searchIndexes: SearchIndexVersions;
  /** Called for an entity whose document could not be projected or written; its former document stays. */
  readonly onUnindexable: (urn: string, cause: unknown) => void;
  /** Interval between comparisons of the number of documents with the store's entities. */
  readonly compareEveryMs: number;
  /** Called with messages for operators about the index. */
  readonly onNotice: (message: string, cause?: unknown) => void;
}

/** Applies the change log to the search index. */
export const indexerStage: Stage<IndexerDeps, never> = {
  name: 'indexer',
  open: ({ registry, searchIndexes, ...deps }) => {
    const subscription = new IndexFollower({
      ...deps,
      ...searchProjection(registry),
      reader: 'indexer',
      indexName: 'search index',
      indexes: searchIndexes,
    });
    return {
      consumers: [{ name: 'indexer', subscription, lag: () => indexLag(searchIndexes, deps.store) }],
    };
  },
};
