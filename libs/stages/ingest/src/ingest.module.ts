import { Module, type DynamicModule } from '@nestjs/common';
import { provideUseCases } from '@stratalog/http';
import { CheckpointPoller } from '@stratalog/indexing';
import type { Clock, RetentionStore, SchemaStore, Stage } from '@stratalog/ports';
import { RetentionPolicies, type RetentionPolicy } from '@stratalog/retention';
import { deleteEntity, type DeletionDeps } from './deletion/delete-entity';
import { deleteReferences, type ReferenceDeps } from './deletion/delete-references';
import { DeletionController } from './deletion/deletion.controller';
import { AspectsController } from './proposals/aspects.controller';
import { createCaller, createProposer } from './proposals/create-caller';
import { ingestProposal } from './proposals/ingest-proposal';
import { ingestProposalBatch } from './proposals/ingest-proposal-batch';
import { applyRetentionTo } from './retention/apply-retention';
import { RetentionController } from './retention/retention.controller';
import { describeRun, listRuns } from './runs/describe-run';
import { rollbackRun, type RunRollbackDeps } from './runs/rollback-run';
import { RunsController } from './runs/runs.controller';
import { RegisteredSchemas } from './schemas/registered-schemas';
import { SchemaRegistryController } from './schemas/schema-registry.controller';
import { ingestSnapshots } from './snapshots/ingest-snapshots';
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
    const graphWatch = new CheckpointPoller('relationship graph', given.graphIndexes);
    const deps = { ...given, graphWatch };
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
        ...provideUseCases(deps, createCaller, createProposer),
        ...provideUseCases(deps, ingestProposal, ingestProposalBatch, ingestSnapshots),
        ...provideUseCases(deps, deleteEntity, deleteReferences, listRuns, describeRun, rollbackRun),
        ...provideUseCases(retentionDeps(given), applyRetentionTo),
        ...registry.map((useValue) => ({ provide: RegisteredSchemas, useValue })),
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
