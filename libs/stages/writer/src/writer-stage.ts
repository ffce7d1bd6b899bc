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
  /** Publishes what was written, where readers do not look at the store themselves. */
  readonly relay?: Subscription;
  readonly histories: RetentionStore;
  readonly retention: RetentionSettings;
}

export interface RetentionSettings {
  /** Counts where no policy is stored. */
  readonly fallback: RetentionPoliciesOptions['fallback'];
  /** So long after a pass over the store begins the next. */
  readonly everyMs: number;
  /** Told when one is done. */
  readonly onPass: (pass: RetentionPass) => void;
}

/** Applies the proposal log to the store, and keeps histories as long as the policies say. */
export const writerStage: Stage<WriterDeps, never> = {
  name: 'writer',
  open: (parts) => {
    const { clock, store, registry, histories } = parts;
    const { fallback, ...retention } = parts.retention;
    const policies = new RetentionPolicies({ store, urnNamespace: registry.urnNamespace, fallback });
    const keeper = { ...retention, store: histories, policies, clock, owner: randomUUID() };
    return {
      needsClock: true,
      consumers: [
        {
          name: 'writer',
          subscription: parts.proposals.consume(proposalHandler({ ...parts, policies })),
          lag: () => parts.proposals.lag(),
        },
        ...(parts.relay === undefined ? [] : [{ name: 'relay', subscription: parts.relay }]),
        { name: 'retention', subscription: new RetentionSubscription(keeper) },
      ],
    };
  },
};
