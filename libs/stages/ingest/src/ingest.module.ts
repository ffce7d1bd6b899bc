import { Module, type DynamicModule } from '@nestjs/common';
import { IndexPositionWatch } from '@stratalog/indexing';
import type { Clock, RetentionStore, SchemaStore, Stage } from '@stratalog/ports';
import { RetentionPolicies, type RetentionPolicy } from '@stratalog/retention';
import { AspectsController, INGEST_PARTS } from './aspects.controller';
import type { DeletionParts } from './delete-entity';
import type { ReferenceParts } from './delete-references';
import { DELETION_PARTS, DeletionController } from './deletion.controller';
import { OutcomeWatch } from './outcome-watch';
import { RegisteredSchemas } from './registered-schemas';
import { RETENTION_PARTS, RetentionController } from './retention.controller';
import type { RunRollbackParts } from './rollback-run';
import { RUN_PARTS, RunsController } from './runs.controller';
import { REGISTERED_SCHEMAS, SchemaRegistryController } from './schema-registry.controller';
import { SnapshotsController } from './snapshots.controller';

interface StageParts extends Omit<
  DeletionParts & ReferenceParts & RunRollbackParts,
  'outcomes' | 'graphWatch'
> {
  readonly clock: Clock;
  readonly histories: RetentionStore;
  readonly retention: { readonly fallback: RetentionPolicy };
  /** The schemas of producers on Kafka; absent when they are kept by somebody else. */
  readonly schemas?: SchemaStore;
}

/** Mounts the writing routes, and those of the schema registry. */
@Module({})
export class IngestModule {
  static over({ schemas, ...given }: StageParts): DynamicModule {
    const parts = {
      ...given,
      outcomes: new OutcomeWatch(given.store),
      graphWatch: new IndexPositionWatch('relationship graph', given.graphIndexes),
    };
    const registry = schemas === undefined ? [] : [new RegisteredSchemas(schemas)];
    return {
      module: IngestModule,
      controllers: [
        AspectsController,
        DeletionController,
        RetentionController,
        RunsController,
        SnapshotsController,
        ...registry.map(() => SchemaRegistryController),
      ],
      providers: [
        { provide: INGEST_PARTS, useValue: parts },
        { provide: DELETION_PARTS, useValue: parts },
        { provide: RUN_PARTS, useValue: parts },
        { provide: RETENTION_PARTS, useValue: retentionParts(given) },
        ...registry.map((useValue) => ({ provide: REGISTERED_SCHEMAS, useValue })),
      ],
    };
  }
}

function retentionParts({ store, histories, clock, registry, retention }: Omit<StageParts, 'schemas'>) {
  const { urnNamespace } = registry;
  const policies = new RetentionPolicies({ store, urnNamespace, fallback: retention.fallback });
  return { store: histories, policies, clock, registry };
}

/** Takes proposals over HTTP and puts them into the log. */
export const ingestStage: Stage<StageParts, DynamicModule> = {
  name: 'ingest',
  open: (parts) => ({ module: IngestModule.over(parts), consumers: [], needsClock: true }),
};
