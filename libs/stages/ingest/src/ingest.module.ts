import { randomUUID } from 'node:crypto';
import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { provideUseCases } from '@stratalog/http';
import { PositionedReads, type PolledIndexes } from '@stratalog/indexing';
import type { Clock, ProposalLog, RetentionStore, SchemaStore, Stage, TaskStore } from '@stratalog/ports';
import { RetentionPolicies, type RetentionPolicy } from '@stratalog/retention';
import { TaskRunner, type TaskRunnerOptions } from '@stratalog/tasks';
import { deleteEntity, type DeletionDeps } from './deletion/delete-entity';
import { deleteReferences, type ReferenceCallDeps } from './deletion/delete-references';
import { referenceTask, type ReferenceDeps } from './deletion/reference-task';
import { DeletionController } from './deletion/deletion.controller';
import { EntityWritesController } from './openapi/entity-writes.controller';
import { awaitIndexes, type AwaitIndexesDeps } from './openapi/await-indexes';
import { writeEntities } from './openapi/write-entities';
import { authorizeWrites, type PolicyDeps } from './policies/authorize-writes';
import { explainRights } from './policies/explain-rights';
import { RightsController } from './policies/rights.controller';
import { StoredPolicies } from './policies/stored-policies';
import { AspectsController } from './proposals/aspects.controller';
import { createCaller, createProposer } from './proposals/create-caller';
import { ingestProposal } from './proposals/ingest-proposal';
import { ingestProposalBatch } from './proposals/ingest-proposal-batch';
import { applyRetentionTo } from './retention/apply-retention';
import { RetentionController } from './retention/retention.controller';
import { describeRun, listRuns } from './runs/describe-run';
import type { RunRollbackDeps } from './runs/plan-rollback';
import { rollbackRun, type RollbackCallDeps } from './runs/rollback-run';
import { rollbackTask } from './runs/rollback-task';
import { RunsController } from './runs/runs.controller';
import { RegisteredSchemas } from './schemas/registered-schemas';
import { SchemaRegistryController } from './schemas/schema-registry.controller';
import { ingestSnapshots } from './snapshots/ingest-snapshots';
import { SnapshotsController } from './snapshots/snapshots.controller';
import { TraceController } from './tracing/trace.controller';
import { mintTraceId } from './tracing/trace-id';
import { LogWaits } from './tracing/log-waits';
import { TRACE_WAIT_MS, traceWrites, type TraceDeps } from './tracing/trace-writes';
import { UsageIngestController } from './usage/usage.controller';

interface StageDeps extends Omit<
  DeletionDeps & ReferenceDeps & RunRollbackDeps & TraceDeps,
  'graphReads' | 'searchWaits' | 'graphWaits' | 'logWaits'
> {
  readonly searchIndexes: PolledIndexes;
  readonly proposals: Pick<ProposalLog, 'progress'>;
  readonly clock: Clock;
  readonly positionTimeoutMs: number;
  readonly retentionStore: RetentionStore;
  readonly retention: { readonly fallback: RetentionPolicy };
  readonly tasks: TaskStore;
  /** How this process runs tasks. */
  readonly taskRuns: Pick<TaskRunnerOptions, 'keepMs' | 'onFault'>;
  /** True when stored policies decide about writes. */
  readonly policyMode: 'off' | 'on';
  /** Registered schemas of Kafka producers; absent when an external schema registry keeps them. */
  readonly schemas?: SchemaStore;
}

/** Dependencies of use cases that the stage makes itself. */
type OwnDeps = Pick<
  RollbackCallDeps & ReferenceCallDeps & PolicyDeps & AwaitIndexesDeps & TraceDeps,
  | 'rollback'
  | 'removal'
  | 'onTask'
  | 'graphReads'
  | 'searchReads'
  | 'searchWaits'
  | 'graphWaits'
  | 'logWaits'
  | 'policies'
>;

/** The controllers of this stage, in reading order. */
export const INGEST_CONTROLLERS: readonly Type[] = [
  AspectsController,
  EntityWritesController,
  TraceController,
  SnapshotsController,
  UsageIngestController,
  DeletionController,
  RetentionController,
  RunsController,
  RightsController,
  SchemaRegistryController,
];

/** Mounts the writing routes, and those of the schema registry. */
@Module({})
export class IngestModule {
  static over({ schemas, ...deps }: StageDeps & OwnDeps): DynamicModule {
    const registry = schemas === undefined ? [] : [new RegisteredSchemas(schemas)];
    return {
      module: IngestModule,
      controllers: INGEST_CONTROLLERS.filter(
        (controller) => controller !== SchemaRegistryController || schemas !== undefined,
      ),
      providers: [
        ...provideUseCases(deps, createCaller, createProposer, authorizeWrites, explainRights),
        ...provideUseCases(deps, ingestProposal, ingestProposalBatch, writeEntities, ingestSnapshots),
        ...provideUseCases(deps, mintTraceId, awaitIndexes, traceWrites),
        ...provideUseCases(deps, deleteEntity, deleteReferences, listRuns, describeRun, rollbackRun),
        ...provideUseCases(retentionDeps(deps), applyRetentionTo),
        ...registry.map((useValue) => ({ provide: RegisteredSchemas, useValue })),
      ],
    };
  }
}

function retentionDeps({ store, retentionStore, clock, registry, retention }: Omit<StageDeps, 'schemas'>) {
  const { urnNamespace } = registry;
  const policies = new RetentionPolicies({ store, urnNamespace, fallback: retention.fallback });
  return { store: retentionStore, policies, clock, registry };
}

/** Submits proposals from HTTP to the writer, and runs the tasks that propose many changes. */
export const ingestStage: Stage<StageDeps, DynamicModule> = {
  name: 'ingest',
  open: (given) => {
    const search = { ...given, indexes: given.searchIndexes, indexName: 'search index' };
    const graph = { ...given, indexes: given.graphIndexes, indexName: 'relationship graph' };
    const graphReads = new PositionedReads(graph);
    const waits = {
      searchReads: new PositionedReads(search),
      searchWaits: new PositionedReads({ ...search, positionTimeoutMs: TRACE_WAIT_MS }),
      graphWaits: new PositionedReads({ ...graph, positionTimeoutMs: TRACE_WAIT_MS }),
      logWaits: new LogWaits(given),
    };
    const policies = given.policyMode === 'on' ? new StoredPolicies(given) : undefined;
    const deps = { ...given, ...waits, graphReads, policies };
    const rollback = rollbackTask(deps);
    const removal = referenceTask(deps);
    const runner = new TaskRunner({
      ...given.taskRuns,
      store: given.tasks,
      kinds: [rollback, removal],
      owner: randomUUID(),
    });
    const onTask = (): void => {
      runner.wake();
    };
    return {
      module: IngestModule.over({ ...deps, rollback, removal, onTask }),
      consumers: [{ name: 'ingest', subscription: runner }],
      needs: { ingest: ['store', 'proposals'] },
      needsClock: true,
      needsLog: true,
    };
  },
};
