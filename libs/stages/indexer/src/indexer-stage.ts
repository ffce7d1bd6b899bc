import {
  IndexFollower,
  entityContent,
  trackIndexProgress,
  requestReferrers,
  timeseriesContent,
} from '@stratalog/indexing';
import type {
  AspectStore,
  ChangeLog,
  NamedSubscription,
  SearchIndexVersions,
  Stage,
  TaskStore,
  TimeseriesIndexing,
} from '@stratalog/ports';
import { searchProjection, type PopularityStrength } from '@stratalog/projection';
import { listTimeseriesSeries, type EntityRegistry } from '@stratalog/registry';

export interface IndexerDeps {
  readonly store: AspectStore;
  readonly registry: EntityRegistry;
  readonly changes: ChangeLog;
  readonly searchIndexes: SearchIndexVersions;
  /** The index of timeseries values; none when statistics come from the store alone. */
  readonly timeseriesIndex?: TimeseriesIndexing;
  readonly popularity: { readonly strength: PopularityStrength };
  /** Keeps the requests to index entities again that refer to changed ones. */
  readonly tasks: TaskStore;
  /** Called for an entity whose document could not be projected or written; its former document stays. */
  readonly onUnindexable: (urn: string, cause: unknown) => void;
  /** Interval between comparisons of the number of documents with the store's entities. */
  readonly compareEveryMs: number;
  /** Called with messages for operators about the index. */
  readonly onNotice: (message: string, cause?: unknown) => void;
}

/** Applies the change log to the search index, and to the index of timeseries values where there is one. */
export const indexerStage: Stage<IndexerDeps, never> = {
  name: 'indexer',
  open: (deps) => ({
    consumers: [followSearch(deps), ...followTimeseries(deps)],
    // It is the one that builds an index where there is none.
    needs: { indexer: ['store', 'changes', 'engine'] },
  }),
};

function followSearch({
  registry,
  searchIndexes,
  tasks,
  popularity,
  ...deps
}: IndexerDeps): NamedSubscription {
  const actor = `urn:${registry.urnNamespace}:corpuser:__datahub_system`;
  const followed = {
    ...deps,
    ...searchProjection(registry, popularity.strength),
    reader: 'indexer',
    indexName: 'search index',
    indexes: searchIndexes,
    onReferencedChange: async (
      urns: readonly string[],
      position: Parameters<typeof requestReferrers>[1],
    ): Promise<void> => {
      for (const task of requestReferrers(urns, position, actor)) await tasks.create(task);
    },
  };
  return {
    name: 'indexer',
    subscription: new IndexFollower(followed, entityContent(followed)),
    progress: trackIndexProgress(searchIndexes, deps.store),
  };
}

function followTimeseries({ registry, timeseriesIndex, ...deps }: IndexerDeps): readonly NamedSubscription[] {
  if (timeseriesIndex === undefined) return [];
  const { versions, source } = timeseriesIndex;
  const followed = {
    ...deps,
    ...listTimeseriesSeries(registry),
    source,
    reader: 'timeseries-indexer',
    isOptional: true as const,
    indexName: 'timeseries index',
    indexes: versions,
  };
  return [
    {
      name: 'timeseries-indexer',
      subscription: new IndexFollower(followed, timeseriesContent(followed)),
      progress: trackIndexProgress(versions, deps.store),
    },
  ];
}
