import { randomUUID } from 'node:crypto';
import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { provideUseCases } from '@stratalog/http';
import type { AspectStore, LogSubscriptions, Stage } from '@stratalog/ports';
import type { PopularityStrength } from '@stratalog/projection';
import { TaskRunner, type TaskRunnerOptions, type TaskSchedule } from '@stratalog/tasks';
import { AuditController } from './audit/audit.controller';
import { exportAudit, listAudit, type AuditDeps } from './audit/list-audit';
import { DeadLettersController } from './dead-letters/dead-letters.controller';
import { listDeadLetters, type DeadLettersDeps } from './dead-letters/list-dead-letters';
import { describeIndex } from './indexes/describe-index';
import { IndexesController } from './indexes/indexes.controller';
import { rebuildIndex, rebuildIndices, type RebuildDeps } from './indexes/rebuild-indices';
import { rebuildTask } from './indexes/rebuild-task';
import { LogController } from './log/log.controller';
import { adoptLog, describeLog, resumeLog, type LogDeps } from './log/recover-log';
import { MEASURE_POPULARITY, popularityTask, type PopularityDeps } from './popularity/popularity-task';
import { evaluateTests, evaluateTestsOfEach } from './metadata-tests/evaluate-tests';
import { MetadataTestsController } from './metadata-tests/metadata-tests.controller';
import {
  REFRESH_TEST_RESULTS,
  changedTestsTask,
  evaluationTask,
  refreshTask,
} from './metadata-tests/evaluation-task';
import { ChangeFollower, type FollowDeps } from './metadata-tests/following/change-follower';
import { ChangeFollowerController } from './metadata-tests/following/change-follower.controller';
import { referrerEvaluationTask } from './metadata-tests/following/referrer-evaluation-task';
import { startEvaluation, type EvaluationStartDeps } from './metadata-tests/start-evaluation';
import { TestLibrary } from './metadata-tests/test-library';
import { referrersTask, type ReferrersDeps } from './referrers/referrers-task';
import { restoreIndices, type RestoreDeps } from './restore/restore-indices';
import { EngineOperationsController } from './openapi/engine-operations.controller';
import { restoreEntities } from './restore/restore-entities';
import { restoreSelected } from './restore/restore-records';
import { describeCaller, signOut, type SessionDeps } from './sessions/session';
import { SessionsController } from './sessions/sessions.controller';
import { beginSignIn, finishSignIn } from './sessions/sign-in';
import { declareRestored, type RestoredDeps } from './store/declare-restored';
import { StoreController } from './store/store.controller';
import { RestoreController } from './restore/restore.controller';
import { systemActor } from './system-actor';
import { controlTask } from './tasks/control-task';
import { describeTask, listTasks } from './tasks/describe-task';
import { describeEsTask, readEsTask } from './tasks/es-task-status';
import { TaskEvents } from './tasks/task-events';
import { TasksController } from './tasks/tasks.controller';
import { createToken, listTokens, revokeToken, rotateToken, type TokenDeps } from './tokens/manage-tokens';
import { TokensController } from './tokens/tokens.controller';
import { describeIndexSizes, listIndexSizes } from './timeseries/index-sizes';
import { TimeseriesOperationsController } from './timeseries/timeseries-operations.controller';
import { truncateTimeseries, type TruncateDeps } from './timeseries/truncate-timeseries';
import { truncationTask } from './timeseries/truncation-task';

/** Dependencies of use cases that the stage makes itself. */
type OwnDeps = Pick<
  TruncateDeps & RebuildDeps & EvaluationStartDeps,
  'truncation' | 'rebuild' | 'evaluation' | 'onTask' | 'testLibrary'
>;

interface AdminDeps
  extends
    AuditDeps,
    DeadLettersDeps,
    LogDeps,
    Pick<RestoredDeps, 'storeEpoch'>,
    Pick<TokenDeps, 'tokens' | 'tokenVerifier'>,
    Pick<SessionDeps, 'signIn'>,
    RestoreDeps,
    ReferrersDeps,
    PopularityDeps,
    Pick<FollowDeps, 'checkpoints' | 'onNotice'>,
    Omit<TruncateDeps & RebuildDeps & EvaluationStartDeps, keyof OwnDeps | 'store'> {
  readonly store: AspectStore;
  readonly subscriptions: LogSubscriptions;
  /** Results of metadata tests: on request, or after each change and all again at an interval. */
  readonly testResults: { readonly mode: 'on-request' | 'continuous'; readonly everyMs: number };
  readonly popularity: { readonly strength: PopularityStrength; readonly everyMs: number };
  /** How this process runs tasks. */
  readonly taskRuns: Pick<TaskRunnerOptions, 'keepMs' | 'onFault'> & { readonly auditKeepMs: number };
}

type ModuleDeps = AdminDeps & OwnDeps;

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

/** Mounts the routes of operators, and the consumer of the change log, if metadata tests follow it. */
@Module({})
export class AdminModule {
  static over(deps: ModuleDeps, followers: readonly ChangeFollower[]): DynamicModule {
    return {
      module: AdminModule,
      controllers: [...ADMIN_CONTROLLERS, ...followers.map(() => ChangeFollowerController)],
      providers: [
        ...provideUseCases(deps, describeIndex, rebuildIndex, rebuildIndices),
        ...provideUseCases(deps, describeLog, adoptLog, resumeLog, declareRestored),
        ...provideUseCases(
          deps,
          listAudit,
          exportAudit,
          listDeadLetters,
          listTasks,
          describeTask,
          describeEsTask,
          controlTask,
        ),
        ...provideUseCases(deps, describeIndexSizes, truncateTimeseries, restoreIndices),
        ...provideUseCases(deps, createToken, rotateToken, revokeToken, listTokens),
        ...provideUseCases(deps, describeCaller, beginSignIn, finishSignIn, signOut),
        ...provideUseCases(deps, evaluateTests, evaluateTestsOfEach, startEvaluation),
        ...provideUseCases(deps, readEsTask, listIndexSizes, restoreSelected, restoreEntities),
        { provide: TaskEvents, useValue: new TaskEvents(deps) },
        ...followers.map((useValue) => ({ provide: ChangeFollower, useValue })),
      ],
    };
  }
}

/** Serves the routes for operators, and runs the tasks that they start. */
export const adminStage: Stage<AdminDeps, DynamicModule> = {
  name: 'admin',
  open: (deps) => {
    const truncation = truncationTask(deps);
    const rebuild = rebuildTask(deps);
    const testLibrary = new TestLibrary(deps);
    const pushDeps = { ...deps, testLibrary };
    const evaluation = evaluationTask(pushDeps);
    const changedTests = changedTestsTask(pushDeps);
    const referrerEvaluation = referrerEvaluationTask(pushDeps);
    const runner = new TaskRunner({
      ...deps.taskRuns,
      store: deps.tasks,
      kinds: [
        truncation,
        rebuild,
        referrersTask(deps),
        popularityTask(deps),
        evaluation,
        changedTests,
        referrerEvaluation,
        refreshTask(pushDeps),
      ],
      owner: randomUUID(),
      recurring: { clock: deps.clock, schedules: [...schedulePopularity(deps), ...scheduleTests(deps)] },
      onPurge: async () => {
        await deps.audit.purge(deps.taskRuns.auditKeepMs);
        await deps.tokens.purgeSessions();
      },
    });
    const onTask = (): void => {
      runner.wake();
    };
    const followers =
      deps.testResults.mode === 'continuous'
        ? [new ChangeFollower({ ...pushDeps, evaluation: changedTests, referrerEvaluation, onTask })]
        : [];
    return {
      needs: { admin: ['store'] },
      module: AdminModule.over({ ...deps, truncation, rebuild, evaluation, onTask, testLibrary }, followers),
      consumers: [
        ...followers.map((follower) => follower.consumer(deps.subscriptions)),
        { name: 'tasks', subscription: runner },
      ],
    };
  },
};

/** Requests a measurement of popularity again and again, unless popularity is off. */
function schedulePopularity({ registry, popularity }: AdminDeps): readonly TaskSchedule[] {
  if (popularity.strength === 'off') return [];
  const actor = systemActor(registry);
  return [{ task: { kind: MEASURE_POPULARITY, parameters: {}, actor }, everyMs: popularity.everyMs }];
}

/** Requests an evaluation of every metadata test again and again, unless tests are evaluated on request only. */
function scheduleTests({ registry, testResults }: AdminDeps): readonly TaskSchedule[] {
  if (testResults.mode === 'on-request') return [];
  const actor = systemActor(registry);
  return [{ task: { kind: REFRESH_TEST_RESULTS, parameters: {}, actor }, everyMs: testResults.everyMs }];
}
