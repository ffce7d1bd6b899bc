import { randomUUID } from 'node:crypto';
import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { provideUseCases } from '@stratalog/http';
import type { AspectStore, Stage } from '@stratalog/ports';
import type { PopularityStrength } from '@stratalog/projection';
import { TaskRunner, type TaskRunnerOptions, type TaskSchedule } from '@stratalog/tasks';
import { AuditController } from './audit/audit.controller';
import { exportAudit, listAudit, type AuditDeps } from './audit/list-audit';
import { DeadLettersController } from './dead-letters/dead-letters.controller';
import { openDeadLetters, type DeadLettersModuleDeps } from './dead-letters/dead-letters.module';
import { openIncidents } from './incidents/incidents.module';
import { describeIndex } from './indexes/describe-index';
import { IndexesController } from './indexes/indexes.controller';
import { rebuildIndex, rebuildIndices, type RebuildDeps } from './indexes/rebuild-indices';
import { rebuildTask } from './indexes/rebuild-task';
import { LogController } from './log/log.controller';
import { adoptLog, describeLog, resumeLog, type LogDeps } from './log/recover-log';
import { MetadataTestsController } from './metadata-tests/metadata-tests.controller';
import { openMetadataTests, type MetadataTestsDeps } from './metadata-tests/metadata-tests.module';
import { EngineOperationsController } from './openapi/engine-operations.controller';
import { MEASURE_POPULARITY, popularityTask, type PopularityDeps } from './popularity/popularity-task';
import { referrersTask, type ReferrersDeps } from './referrers/referrers-task';
import { restoreEntities } from './restore/restore-entities';
import type { RestoreDeps } from './restore/restore-indices';
import { restoreSelected } from './restore/restore-records';
import { restoreTask, type RestoreStartDeps } from './restore/restore-task';
import { RestoreController } from './restore/restore.controller';
import { RestoreModule } from './restore/restore.module';
import type { SessionDeps } from './sessions/session';
import { SessionsController } from './sessions/sessions.controller';
import { SessionsModule } from './sessions/sessions.module';
import { declareRestored, type RestoredDeps } from './store/declare-restored';
import { StoreController } from './store/store.controller';
import { RetentionPolicies, type RetentionPolicy } from '@stratalog/retention';
import { expiryTask, scheduleExpiry } from './timeseries/expiry-task';
import { systemActor } from './system-actor';
import { readEsTask } from './tasks/es-task-status';
import { TasksController } from './tasks/tasks.controller';
import { TasksModule } from './tasks/tasks.module';
import { describeIndexSizes, listIndexSizes } from './timeseries/index-sizes';
import { TimeseriesOperationsController } from './timeseries/timeseries-operations.controller';
import { truncateTimeseries, type TruncateDeps } from './timeseries/truncate-timeseries';
import { truncationTask } from './timeseries/truncation-task';
import type { TokenDeps } from './tokens/manage-tokens';
import { TokensController } from './tokens/tokens.controller';
import { TokensModule } from './tokens/tokens.module';

/** Dependencies of use cases that the stage makes itself. */
type OwnDeps = Pick<
  TruncateDeps & RebuildDeps & RestoreStartDeps,
  'truncation' | 'rebuild' | 'restore' | 'onTask'
>;

interface AdminDeps
  extends
    AuditDeps,
    Omit<DeadLettersModuleDeps, 'onTask'>,
    LogDeps,
    Pick<RestoredDeps, 'storeEpoch'>,
    Pick<TokenDeps, 'tokens' | 'tokenVerifier'>,
    Pick<SessionDeps, 'signIn'>,
    RestoreDeps,
    ReferrersDeps,
    PopularityDeps,
    Omit<MetadataTestsDeps, 'onTask'>,
    Omit<TruncateDeps & RebuildDeps, keyof OwnDeps | 'store'> {
  readonly store: AspectStore;
  readonly popularity: { readonly strength: PopularityStrength; readonly everyMs: number };
  readonly retention: { readonly fallback: RetentionPolicy; readonly everyMs: number };
  /** How this process runs tasks. */
  readonly taskRuns: Pick<TaskRunnerOptions, 'keepMs' | 'onFault'> & { readonly auditKeepMs: number };
}

/** The controllers of this stage, in reading order. */
export const ADMIN_CONTROLLERS: readonly Type[] = [
  IndexesController,
  LogController,
  RestoreController,
  StoreController,
  TimeseriesOperationsController,
  TasksController,
  EngineOperationsController,
  MetadataTestsController,
  TokensController,
  SessionsController,
  AuditController,
  DeadLettersController,
];

/** The controllers of subjects with a module of their own. */
const IN_MODULES: readonly Type[] = [
  RestoreController,
  TasksController,
  MetadataTestsController,
  TokensController,
  SessionsController,
  DeadLettersController,
];

/** Mounts the routes of operators. */
@Module({})
export class AdminModule {
  static over(deps: AdminDeps & OwnDeps, followers: readonly DynamicModule[]): DynamicModule {
    return {
      module: AdminModule,
      imports: [
        RestoreModule.over(deps),
        TasksModule.over(deps),
        ...followers,
        TokensModule.over(deps),
        SessionsModule.over(deps),
      ],
      controllers: ADMIN_CONTROLLERS.filter((each) => !IN_MODULES.includes(each)),
      providers: [
        ...provideUseCases(deps, describeIndex, rebuildIndex, rebuildIndices),
        ...provideUseCases(deps, describeLog, adoptLog, resumeLog, declareRestored),
        ...provideUseCases(deps, listAudit, exportAudit),
        ...provideUseCases(deps, describeIndexSizes, truncateTimeseries),
        ...provideUseCases(deps, readEsTask, listIndexSizes, restoreSelected, restoreEntities),
      ],
    };
  }
}

/** Serves the routes for operators, and runs the tasks that they start. */
export const adminStage: Stage<AdminDeps, DynamicModule> = {
  name: 'admin',
  open: (deps) => {
    const onTask = (): void => {
      runner.wake();
    };
    const truncation = truncationTask(deps);
    const { registry, store, retention } = deps;
    const policies = new RetentionPolicies({ store, urnNamespace: registry.urnNamespace, ...retention });
    const rebuild = rebuildTask(deps);
    const restore = restoreTask(deps);
    const metadataTests = openMetadataTests({ ...deps, onTask });
    const incidents = openIncidents({ ...deps, onTask });
    const deadLetters = openDeadLetters({ ...deps, onTask });
    const runner = new TaskRunner({
      ...deps.taskRuns,
      store: deps.tasks,
      kinds: [
        truncation,
        rebuild,
        restore,
        referrersTask(deps),
        popularityTask(deps),
        expiryTask({ ...deps, policies, truncation }),
        incidents.kind,
        ...metadataTests.kinds,
        ...deadLetters.kinds,
      ],
      owner: randomUUID(),
      recurring: {
        clock: deps.clock,
        schedules: [
          ...schedulePopularity(deps),
          scheduleExpiry({ ...deps, policies }, { actor: systemActor(registry), everyMs: retention.everyMs }),
          ...metadataTests.schedules,
        ],
      },
      onPurge: async () => {
        await deps.audit.purge(deps.taskRuns.auditKeepMs);
        await deps.deadLetters.purge(deps.taskRuns.auditKeepMs);
        await deps.tokens.purgeSessions();
      },
    });
    return {
      needs: { admin: ['store'] },
      module: AdminModule.over({ ...deps, truncation, rebuild, restore, onTask }, [
        metadataTests.module,
        incidents.module,
        deadLetters.module,
      ]),
      consumers: [...metadataTests.consumers, incidents.consumer, { name: 'tasks', subscription: runner }],
    };
  },
};

/** Requests a measurement of popularity again and again, unless popularity is off. */
function schedulePopularity({ registry, popularity }: AdminDeps): readonly TaskSchedule[] {
  if (popularity.strength === 'off') return [];
  const actor = systemActor(registry);
  return [{ task: { kind: MEASURE_POPULARITY, parameters: {}, actor }, everyMs: popularity.everyMs }];
}
