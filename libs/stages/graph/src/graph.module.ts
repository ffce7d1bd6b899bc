import { Module, type DynamicModule } from '@nestjs/common';
import { IndexFollower, indexLag } from '@stratalog/indexing';
import type { ChangeLog, Stage } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import { findProjectingAspects, drawsEdgesIn, projectEdges } from './project-edges';
import {
  RELATIONSHIPS_DEPS,
  RelationshipsController,
  type RelationshipsDeps,
} from './relationships.controller';

interface StageDeps extends RelationshipsDeps {
  readonly registry: EntityRegistry;
  readonly changes: ChangeLog;
  /** Told about an entity whose edges could not be made or written; its former edges stay. */
  readonly onUnindexable: (urn: string, cause: unknown) => void;
  /** How often the number of entries is compared with the store's entities. */
  readonly compareEveryMs: number;
  /** Told what an operator should know of the graph. */
  readonly onNotice: (message: string, cause?: unknown) => void;
}

/** Mounts the routes of relationships. */
@Module({})
export class GraphModule {
  static over(parts: RelationshipsDeps): DynamicModule {
    return {
      module: GraphModule,
      controllers: [RelationshipsController],
      providers: [{ provide: RELATIONSHIPS_DEPS, useValue: parts }],
    };
  }
}

/** Follows the change log with the relationship graph, and answers from it. */
export const graphStage: Stage<StageDeps, DynamicModule> = {
  name: 'graph',
  open: (parts) => {
    const { registry, graphIndexes, store, changes, onUnindexable, compareEveryMs, onNotice } = parts;
    const subscription = new IndexFollower({
      store,
      changes,
      onUnindexable,
      compareEveryMs,
      onNotice,
      reader: 'graph',
      indexName: 'relationship graph',
      indexes: graphIndexes,
      mapping: registry.graphFingerprint,
      affects: drawsEdgesIn(registry),
      aspectNames: findProjectingAspects(registry),
      project: projectEdges(registry),
      hasEntry: (entityType) => registry.entityType(entityType) !== undefined,
    });
    const lag = (): Promise<number> => indexLag(graphIndexes, store);
    return { module: GraphModule.over(parts), consumers: [{ name: 'graph', subscription, lag }] };
  },
};
