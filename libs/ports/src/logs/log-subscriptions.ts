import type { ChangeConsumerOptions } from './change-log';
import type { Subscription } from './consumer';

/**
 * Subscribes the consumers of a process to its logs. The handler of a consumer is a method of a controller, which is found by the name of
 * the consumer.
 *
 * **Errors**: the process does not start when a consumer named here has no handler.
 */
export interface LogSubscriptions {
  /** Returns the subscription of a consumer to the proposal log. */
  toProposals(consumer: string): Subscription;
  /** Returns the function by which a consumer subscribes to the change log: once, or once for each index version. */
  toChanges(consumer: string): SubscribeToChanges;
}

export type SubscribeToChanges = (options: ChangeConsumerOptions) => Subscription;
