import { randomUUID } from 'node:crypto';
import { Module, type DynamicModule } from '@nestjs/common';
import type {
  Clock,
  LogSubscriptions,
  ProposalLog,
  RetentionStore,
  Stage,
  Subscription,
  TaskStore,
} from '@stratalog/ports';
import {
  RetentionPolicies,
  retentionTask,
  scheduleRetention,
  type RetentionPass,
  type RetentionPoliciesOptions,
} from '@stratalog/retention';
import { TaskRunner, type TaskRunnerOptions } from '@stratalog/tasks';
import { proposalHandler, type ProposalHandlerOptions } from './proposal-handler';
import { WriterController } from './writer.controller';

interface WriterDeps extends Omit<ProposalHandlerOptions, 'store' | 'policies'> {
  readonly store: ProposalHandlerOptions['store'] & RetentionPoliciesOptions['store'];
  readonly clock: Clock;
  readonly proposals: Pick<ProposalLog, 'progress'>;
  readonly subscriptions: LogSubscriptions;
  /** Publishes changes, for deployments whose readers do not poll the store themselves. */
  readonly relay?: Subscription;
  readonly retentionStore: RetentionStore;
  readonly retention: RetentionSettings;
  readonly tasks: TaskStore;
  /** How this process runs tasks. */
  readonly taskRuns: Pick<TaskRunnerOptions, 'keepMs' | 'onFault'>;
}

interface RetentionSettings {
  /** Policy of aspects without a stored one. */
  readonly fallback: RetentionPoliciesOptions['fallback'];
  /** Pause between the end of a pass over the store and the next one. */
  readonly everyMs: number;
  /** Called after each pass. */
  readonly onPass: (pass: RetentionPass) => void;
}

/** Mounts the consumer of the proposal log. */
@Module({})
export class WriterModule {
  static over(deps: ProposalHandlerOptions): DynamicModule {
    return {
      module: WriterModule,
      controllers: [WriterController],
      providers: [{ provide: proposalHandler, useValue: proposalHandler(deps) }],
    };
  }
}

/** Applies the proposal log to the store, and truncates histories by the retention policies. */
export const writerStage: Stage<WriterDeps, DynamicModule> = {
  name: 'writer',
  open: (deps) => {
    const { clock, store, registry, retentionStore } = deps;
    const { fallback, everyMs, onPass } = deps.retention;
    const policies = new RetentionPolicies({ store, urnNamespace: registry.urnNamespace, fallback });
    const retention = { store: retentionStore, policies, clock, onPass };
    const actor = `urn:${registry.urnNamespace}:corpuser:__datahub_system`;
    const runner = new TaskRunner({
      ...deps.taskRuns,
      store: deps.tasks,
      kinds: [retentionTask(retention)],
      owner: randomUUID(),
      recurring: { clock, schedules: [scheduleRetention(retention, { actor, everyMs })] },
    });
    return {
      module: WriterModule.over({ ...deps, policies }),
      needs: { writer: ['store', 'proposals'] },
      needsClock: true,
      consumers: [
        {
          name: 'writer',
          subscription: deps.subscriptions.toProposals('writer'),
          progress: () => deps.proposals.progress(),
        },
        ...(deps.relay === undefined ? [] : [{ name: 'relay', subscription: deps.relay }]),
        { name: 'retention', subscription: runner },
      ],
    };
  },
};
