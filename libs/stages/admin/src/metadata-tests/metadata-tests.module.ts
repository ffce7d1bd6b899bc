import { Module, type DynamicModule } from '@nestjs/common';
import { provideUseCases } from '@stratalog/http';
import type { LogSubscriptions, NamedSubscription } from '@stratalog/ports';
import type { TaskKind, TaskSchedule } from '@stratalog/tasks';
import { systemActor } from '../system-actor';
import { evaluateTests, evaluateTestsOfEach } from './evaluate-tests';
import {
  REFRESH_TEST_RESULTS,
  changedTestsTask,
  evaluationTask,
  refreshTask,
  type EvaluationTaskDeps,
} from './evaluation-task';
import { ChangeFollower, type FollowDeps } from './following/change-follower';
import { ChangeFollowerController } from './following/change-follower.controller';
import { referrerEvaluationTask, type ReferrerEvaluationDeps } from './following/referrer-evaluation-task';
import { MetadataTestsController } from './metadata-tests.controller';
import { startEvaluation, type EvaluationStartDeps } from './start-evaluation';
import { TestLibrary } from './test-library';
import { tryDefinition } from './try-definition';

export interface MetadataTestsDeps
  extends
    Omit<EvaluationTaskDeps & ReferrerEvaluationDeps, 'testLibrary'>,
    Pick<FollowDeps, 'checkpoints' | 'tasks' | 'onNotice' | 'onTask'> {
  readonly subscriptions: LogSubscriptions;
  /** Results of metadata tests: on request, or after each change and all again at an interval. */
  readonly testResults: { readonly mode: 'on-request' | 'continuous'; readonly everyMs: number };
}

/** Mounts the routes of metadata tests, and the consumer of the change log, if the results follow it. */
@Module({})
export class MetadataTestsModule {
  static over(deps: EvaluationStartDeps, followers: readonly ChangeFollower[]): DynamicModule {
    return {
      module: MetadataTestsModule,
      controllers: [MetadataTestsController, ...followers.map(() => ChangeFollowerController)],
      providers: [
        ...provideUseCases(deps, evaluateTests, evaluateTestsOfEach, startEvaluation, tryDefinition),
        ...followers.map((useValue) => ({ provide: ChangeFollower, useValue })),
      ],
    };
  }
}

/** Makes the module of metadata tests, and what its stage runs for it. */
export function openMetadataTests(given: MetadataTestsDeps): {
  readonly module: DynamicModule;
  readonly kinds: readonly TaskKind[];
  readonly schedules: readonly TaskSchedule[];
  readonly consumers: readonly NamedSubscription[];
} {
  const deps = { ...given, testLibrary: new TestLibrary(given) };
  const evaluation = evaluationTask(deps);
  const changedTests = changedTestsTask(deps);
  const referrerEvaluation = referrerEvaluationTask(deps);
  const followers =
    deps.testResults.mode === 'continuous'
      ? [new ChangeFollower({ ...deps, evaluation: changedTests, referrerEvaluation })]
      : [];
  return {
    module: MetadataTestsModule.over({ ...deps, evaluation }, followers),
    kinds: [evaluation, changedTests, referrerEvaluation, refreshTask(deps)],
    schedules: scheduleRefresh(deps),
    consumers: followers.map((follower) => follower.consumer(deps.subscriptions)),
  };
}

/** Requests an evaluation of every metadata test again and again, unless tests are evaluated on request only. */
function scheduleRefresh({ registry, testResults }: MetadataTestsDeps): readonly TaskSchedule[] {
  if (testResults.mode === 'on-request') return [];
  const actor = systemActor(registry);
  return [{ task: { kind: REFRESH_TEST_RESULTS, parameters: {}, actor }, everyMs: testResults.everyMs }];
}
