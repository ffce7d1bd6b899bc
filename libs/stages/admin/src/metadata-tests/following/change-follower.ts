import {
  InvalidRequestError,
  StratalogError,
  type ChangeKey,
  type PartitionSequences,
} from '@stratalog/domain';
import type { ConsumerCheckpoints, NewTask, TaskStore } from '@stratalog/ports';
import type { TaskKind } from '@stratalog/tasks';
import { ChangeConsumer } from '../../change-consumer';
import { systemActor } from '../../system-actor';
import { decideEvaluations } from './decide-evaluations';
import type { EntityTests } from '../evaluate-entity';
import type { EvaluationParameters } from '../evaluation-task';
import type { PushDeps } from '../results/push-results';
import { pushResultsTogether } from '../results/push-results-together';
import type { ReferrerParameters } from './referrer-evaluation-task';
import type { StoredTest } from '../test-library';

export interface FollowDeps extends PushDeps {
  readonly checkpoints: ConsumerCheckpoints;
  readonly tasks: TaskStore;
  readonly evaluation: TaskKind<EvaluationParameters>;
  readonly referrerEvaluation: TaskKind<ReferrerParameters>;
  /** Called after a task was created. */
  readonly onTask: () => void;
  /** Receives messages for operators. */
  readonly onNotice: (message: string, cause?: unknown) => void;
}

/** Entities that are evaluated together. */
const PAGE = 200;
/** Changed entities of one task. */
const MAX_REFERENCED = 200;

/** Evaluates tests again after the changes that they read, and writes the results. */
export class ChangeFollower extends ChangeConsumer {
  /** Reported once until it changes. */
  private lastNotice = '';

  constructor(private readonly deps: FollowDeps) {
    super('metadata-tests', deps);
  }

  protected override async lookAtEverything(sequences: PartitionSequences): Promise<void> {
    await this.request(this.evaluate(null, sequences));
  }

  protected override async follow(
    changes: readonly ChangeKey[],
    position: PartitionSequences,
  ): Promise<void> {
    const tests = await this.readTests();
    const needed = decideEvaluations(this.deps.registry, tests, changes);
    const { definitions, entities, referenced } = needed;
    if (definitions.length > 0) await this.request(this.evaluate(definitions, position));
    for (let at = 0; at < referenced.length; at += MAX_REFERENCED) {
      const changed = referenced
        .slice(at, at + MAX_REFERENCED)
        .map(({ urn, aspectNames }) => ({ urn, aspectNames: [...aspectNames] }));
      await this.request(
        this.deps.referrerEvaluation.newTask({ changed, position: toRecord(position) }, this.actor),
      );
    }
    for (let at = 0; at < entities.length; at += PAGE) await this.evaluateNow(entities.slice(at, at + PAGE));
  }

  /** Reads the tests again for each batch: a test of which only a task knew would miss a change behind that task. */
  private async readTests(): Promise<readonly StoredTest[]> {
    try {
      return await this.deps.testLibrary.readAll();
    } catch (error) {
      // Too many tests: they are evaluated on request only.
      if (!(error instanceof InvalidRequestError)) throw error;
      this.notice(`Metadata tests do not follow changes: ${error.message}`);
      return [];
    }
  }

  private async evaluateNow(entities: readonly EntityTests[]): Promise<void> {
    const named = [...new Set(entities.flatMap(({ tests }) => tests.map(({ urn }) => urn)))];
    try {
      await pushResultsTogether(this.deps, { entities, named });
    } catch (error) {
      if (!(error instanceof StratalogError) || error.retryable) throw error;
      this.notice('Results of metadata tests could not be written', error);
    }
  }

  private evaluate(tests: readonly string[] | null, position: PartitionSequences): NewTask {
    const parameters = {
      tests: tests === null ? null : [...tests],
      entityTypes: null,
      urns: null,
      query: null,
      dryRun: false,
      position: toRecord(position),
    };
    return this.deps.evaluation.newTask(parameters, this.actor);
  }

  private async request(task: NewTask): Promise<void> {
    await this.deps.tasks.create(task);
    this.deps.onTask();
  }

  private notice(message: string, cause?: unknown): void {
    if (message !== this.lastNotice) this.deps.onNotice(message, cause);
    this.lastNotice = message;
  }

  private get actor(): string {
    return systemActor(this.deps.registry);
  }
}

function toRecord(position: PartitionSequences): Record<string, number> {
  return Object.fromEntries(position);
}
