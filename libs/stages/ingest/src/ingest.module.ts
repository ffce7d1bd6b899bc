import { Module, type DynamicModule } from '@nestjs/common';
import { CheckpointPoller } from '@stratalog/indexing';
import type { Clock, RetentionStore, SchemaStore, Stage } from '@stratalog/ports';
import { RetentionPolicies, type RetentionPolicy } from '@stratalog/retention';
import { AspectsController, INGEST_DEPS } from './proposals/aspects.controller';
import type { DeletionDeps } from './deletion/delete-entity';
import type { ReferenceDeps } from './deletion/delete-references';
import { DELETION_DEPS, DeletionController } from './deletion/deletion.controller';
import { RegisteredSchemas } from './schemas/registered-schemas';
import { RETENTION_DEPS, RetentionController } from './retention/retention.controller';
import type { RunRollbackDeps } from './runs/rollback-run';
import { RUN_DEPS, RunsController } from './runs/runs.controller';
import { REGISTERED_SCHEMAS, SchemaRegistryController } from './schemas/schema-registry.controller';
import { SnapshotsController } from './snapshots/snapshots.controller';

interface StageDeps extends Omit<DeletionDeps & ReferenceDeps & RunRollbackDeps, 'graphWatch'> {
  readonly clock: Clock;
  readonly histories: RetentionStore;
  readonly retention: { readonly fallback: RetentionPolicy };
  /** Registered schemas of Kafka producers; absent when an external schema registry keeps them. */
  readonly schemas?: SchemaStore;
}

/** Mounts the writing routes, and those of the schema registry. */
@Module({})
export class IngestModule {
  static over({ schemas, ...given }: StageDeps): DynamicModule {
    const deps = {
      ...given,
      graphWatch: new CheckpointPoller('relationship graph', given.graphIndexes),
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
        { provide: INGEST_DEPS, useValue: deps },
        { provide: DELETION_DEPS, useValue: deps },
        { provide: RUN_DEPS, useValue: deps },
        { provide: RETENTION_DEPS, useValue: retentionDeps(given) },
        ...registry.map((useValue) => ({ provide: REGISTERED_SCHEMAS, useValue })),
      ],
    };
  }
}

function retentionDeps({ store, histories, clock, registry, retention }: Omit<StageDeps, 'schemas'>) {
  const { urnNamespace } = registry;
  const policies = new RetentionPolicies({ store, urnNamespace, fallback: retention.fallback });
  return { store: histories, policies, clock, registry };
}

/** Submits proposals from HTTP to the writer. */
export const ingestStage: Stage<StageDeps, DynamicModule> = {
  name: 'ingest',
  open: (deps) => ({ module: IngestModule.over(deps), consumers: [], needsClock: true }),
};
