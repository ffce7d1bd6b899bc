import { Module, type DynamicModule } from '@nestjs/common';
import { IndexFollower, indexLag } from '@stratalog/indexing';
import type { ChangeLog, Stage } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import { drawingAspectsOf, drawsEdgesIn, edgesBy } from './edges-by';
import {
  RELATIONSHIPS_PARTS,
  RelationshipsController,
  type RelationshipsParts,
} from './relationships.controller';

interface StageParts extends RelationshipsParts {
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
  static over(parts: RelationshipsParts): DynamicModule {
    return {
      module: GraphModule,
      controllers: [RelationshipsController],
      providers: [{ provide: RELATIONSHIPS_PARTS, useValue: parts }],
    };
  }
}

/** Follows the change log with the relationship graph, and answers from it. */
export const graphStage: Stage<StageParts, DynamicModule> = {
  name: 'graph',
  open: (parts) => {
    const { registry, graphIndexes, store, changes, onUnindexable, compareEveryMs, onNotice } = parts;
    const consumption = new IndexFollower({
      store,
      changes,
      onUnindexable,
      compareEveryMs,
      onNotice,
      reader: 'graph',
      indexName: 'relationship graph',
      indexes: graphIndexes,
      mapping: registry.graphFingerprint,
      concerns: drawsEdgesIn(registry),
      aspectNames: drawingAspectsOf(registry),
      entryOf: edgesBy(registry),
      hasEntry: (entityType) => registry.entityType(entityType) !== undefined,
    });
    const lag = (): Promise<number> => indexLag(graphIndexes, store);
    return { module: GraphModule.over(parts), consumers: [{ name: 'graph', consumption, lag }] };
  },
};
