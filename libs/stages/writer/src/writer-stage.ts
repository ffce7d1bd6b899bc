import { randomUUID } from 'node:crypto';
import type { Clock, Subscription, ProposalLog, RetentionStore, Stage } from '@stratalog/ports';
import {
  RetentionSubscription,
  RetentionPolicies,
  type RetentionPass,
  type RetentionPoliciesOptions,
} from '@stratalog/retention';
import { proposalHandler, type ProposalHandlerOptions } from './proposal-handler';

export interface WriterDeps extends Omit<ProposalHandlerOptions, 'store' | 'policies'> {
  readonly store: ProposalHandlerOptions['store'] & RetentionPoliciesOptions['store'];
  readonly clock: Clock;
  readonly proposals: ProposalLog;
  /** Publishes changes, for deployments whose readers do not poll the store themselves. */
  readonly relay?: Subscription;
  readonly histories: RetentionStore;
  readonly retention: RetentionSettings;
}

interface RetentionSettings {
  /** Policy of aspects without a stored one. */
  readonly fallback: RetentionPoliciesOptions['fallback'];
  /** Pause between the end of a pass over the store and the next one. */
  readonly everyMs: number;
  /** Called after each pass. */
  readonly onPass: (pass: RetentionPass) => void;
}

/** Applies the proposal log to the store, and truncates histories by the retention policies. */
export const writerStage: Stage<WriterDeps, never> = {
  name: 'writer',
  open: (deps) => {
    const { clock, store, registry, histories } = deps;
    const { fallback, ...retention } = deps.retention;
    const policies = new RetentionPolicies({ store, urnNamespace: registry.urnNamespace, fallback });
    const keeper = { ...retention, store: histories, policies, clock, owner: randomUUID() };
    return {
      needsClock: true,
      consumers: [
        {
          name: 'writer',
          subscription: deps.proposals.consume(proposalHandler({ ...deps, policies })),
          lag: () => deps.proposals.lag(),
        },
        ...(deps.relay === undefined ? [] : [{ name: 'relay', subscription: deps.relay }]),
        { name: 'retention', subscription: new RetentionSubscription(keeper) },
      ],
    };
  },
};
