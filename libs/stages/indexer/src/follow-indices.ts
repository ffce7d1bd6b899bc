import { IndexFollower, entityContent, requestReferrers, timeseriesContent } from '@stratalog/indexing';
import type {
  AspectStore,
  SearchIndex,
  SearchIndexVersions,
  SubscribeToChanges,
  TaskStore,
  TimeseriesIndex,
  TimeseriesIndexing,
} from '@stratalog/ports';
import { searchProjection, type PopularityStrength } from '@stratalog/projection';
import { listTimeseriesSeries, type EntityRegistry } from '@stratalog/registry';

interface FollowDeps {
  readonly store: AspectStore;
  readonly registry: EntityRegistry;
  readonly subscribe: SubscribeToChanges;
  /** Called for an entity whose document could not be projected or written; its former document stays. */
  readonly onUnindexable: (urn: string, cause: unknown) => void;
  /** Interval between comparisons of the number of documents with the store's entities. */
  readonly compareEveryMs: number;
  /** Called with messages for operators about the index. */
  readonly onNotice: (message: string, cause?: unknown) => void;
}

export interface FollowSearchDeps extends FollowDeps {
  readonly searchIndexes: SearchIndexVersions;
  readonly popularity: { readonly strength: PopularityStrength };
  /** Keeps the requests to index entities again that refer to changed ones. */
  readonly tasks: TaskStore;
}

export interface FollowTimeseriesDeps extends FollowDeps {
  readonly timeseriesIndex: TimeseriesIndexing;
}

/** Makes the follower of the search index. */
export function followSearch({
  registry,
  searchIndexes,
  tasks,
  popularity,
  ...deps
}: FollowSearchDeps): IndexFollower<SearchIndex> {
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
  return new IndexFollower(followed, entityContent(followed));
}

/** Makes the follower of the index of timeseries values. */
export function followTimeseries({
  registry,
  timeseriesIndex,
  ...deps
}: FollowTimeseriesDeps): IndexFollower<TimeseriesIndex> {
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
  return new IndexFollower(followed, timeseriesContent(followed));
}
