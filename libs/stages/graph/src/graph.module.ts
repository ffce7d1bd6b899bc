import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { provideUseCases } from '@stratalog/http';
import { IndexFollower, PositionedReads, entityContent, trackIndexProgress } from '@stratalog/indexing';
import type { GraphIndex, LogSubscriptions, Stage } from '@stratalog/ports';
import { graphProjection } from '@stratalog/projection';
import type { EntityRegistry } from '@stratalog/registry';
import { GraphController } from './graph.controller';
import { chooseRelationships, reportUnknownRelationships } from './report-unknown-relationships';
import {
  countRelationships,
  readRelatedEntities,
  readRelationships,
  removeRelationships,
  type GraphDeps,
} from './read-relationships';
import { RelationshipsController } from './relationships.controller';

interface RelationshipsDeps extends GraphDeps {
  readonly registry: EntityRegistry;
  /** Longest wait of a query for the position that its header requests. */
  readonly positionTimeoutMs: number;
}

interface StageDeps extends RelationshipsDeps {
  readonly subscriptions: LogSubscriptions;
  /** Called for an entity whose edges could not be projected or written; its former edges stay. */
  readonly onUnindexable: (urn: string, cause: unknown) => void;
  /** Interval between comparisons of the number of entries with the store's entities. */
  readonly compareEveryMs: number;
  /** Called with messages for operators about the graph. */
  readonly onNotice: (message: string, cause?: unknown) => void;
}

/** The controllers of this stage, in reading order. */
export const GRAPH_CONTROLLERS: readonly Type[] = [RelationshipsController];

/** Mounts the routes of relationships, and the consumer of the change log. */
@Module({})
export class GraphModule {
  static over(deps: RelationshipsDeps, follower: IndexFollower<GraphIndex>): DynamicModule {
    const reads = new PositionedReads({
      ...deps,
      indexes: deps.graphIndexes,
      indexName: 'relationship graph',
    });
    return {
      module: GraphModule,
      controllers: [...GRAPH_CONTROLLERS, GraphController],
      providers: [
        { provide: IndexFollower, useValue: follower },
        { provide: PositionedReads, useValue: reads },
        ...provideUseCases(
          deps,
          readRelationships,
          countRelationships,
          readRelatedEntities,
          reportUnknownRelationships,
          chooseRelationships,
          removeRelationships,
        ),
      ],
    };
  }
}

/** Applies the change log to the relationship graph, and answers queries from it. */
export const graphStage: Stage<StageDeps, DynamicModule> = {
  name: 'graph',
  open: (deps) => {
    const { registry, graphIndexes, store, subscriptions, onUnindexable, compareEveryMs, onNotice } = deps;
    const followed = {
      store,
      subscribe: subscriptions.toChanges('graph'),
      onUnindexable,
      compareEveryMs,
      onNotice,
      ...graphProjection(registry),
      reader: 'graph',
      indexName: 'relationship graph',
      indexes: graphIndexes,
    };
    const subscription = new IndexFollower(followed, entityContent(followed));
    const progress = trackIndexProgress(graphIndexes, store);
    return {
      module: GraphModule.over(deps, subscription),
      consumers: [{ name: 'graph', subscription, progress }],
      needs: { graph: ['store', 'changes', 'graph'] },
    };
  },
};
