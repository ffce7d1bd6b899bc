import { Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { trackIndexProgress } from '@stratalog/indexing';
import type { LogSubscriptions, NamedSubscription, Stage, TimeseriesIndexing } from '@stratalog/ports';
import {
  followSearch,
  followTimeseries,
  type FollowSearchDeps,
  type FollowTimeseriesDeps,
} from './follow-indices';
import { SearchIndexerController, TimeseriesIndexerController } from './indexer.controller';

interface IndexerDeps extends Omit<FollowSearchDeps & FollowTimeseriesDeps, 'subscribe' | 'timeseriesIndex'> {
  readonly subscriptions: LogSubscriptions;
  /** The index of timeseries values; none when statistics come from the store alone. */
  readonly timeseriesIndex?: TimeseriesIndexing;
}

/** An index with the controller that consumes the change log for it. */
interface IndexConsumer {
  readonly controller: Type;
  readonly provider: Provider;
  readonly consumer: NamedSubscription;
}

/** Mounts the consumers of the change log. */
@Module({})
export class IndexerModule {
  static over(consumers: readonly IndexConsumer[]): DynamicModule {
    return {
      module: IndexerModule,
      controllers: consumers.map(({ controller }) => controller),
      providers: consumers.map(({ provider }) => provider),
    };
  }
}

/** Applies the change log to the search index, and to the index of timeseries values where there is one. */
export const indexerStage: Stage<IndexerDeps, DynamicModule> = {
  name: 'indexer',
  open: ({ timeseriesIndex, ...deps }) => {
    const consumers = [
      consumeForSearch(deps),
      ...(timeseriesIndex === undefined ? [] : [consumeForTimeseries({ ...deps, timeseriesIndex })]),
    ];
    return {
      module: IndexerModule.over(consumers),
      consumers: consumers.map(({ consumer }) => consumer),
      // It is the one that builds an index where there is none.
      needs: { indexer: ['store', 'changes', 'engine'] },
    };
  },
};

function consumeForSearch(deps: Omit<IndexerDeps, 'timeseriesIndex'>): IndexConsumer {
  const name = 'indexer';
  const subscription = followSearch({ ...deps, subscribe: deps.subscriptions.toChanges(name) });
  const progress = trackIndexProgress(deps.searchIndexes, deps.store);
  return {
    controller: SearchIndexerController,
    provider: { provide: followSearch, useValue: subscription },
    consumer: { name, subscription, progress },
  };
}

function consumeForTimeseries(deps: Required<IndexerDeps>): IndexConsumer {
  const name = 'timeseries-indexer';
  const subscription = followTimeseries({ ...deps, subscribe: deps.subscriptions.toChanges(name) });
  const progress = trackIndexProgress(deps.timeseriesIndex.versions, deps.store);
  return {
    controller: TimeseriesIndexerController,
    provider: { provide: followTimeseries, useValue: subscription },
    consumer: { name, subscription, progress },
  };
}
