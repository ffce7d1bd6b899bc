import type { ConsumerProgress, Subscription } from '../logs/consumer';

/**
 * One role of the catalog: ingest, writer, indexer or query.
 *
 * An app is a list of stages. Each stage receives its dependencies, so that it runs alone or with all others in one
 * process. `Deps` are its dependencies; `Module` mounts its routes in the framework.
 */
export interface Stage<Deps, Module> {
  readonly name: string;
  open(parts: Deps): Promise<OpenStage<Module>> | OpenStage<Module>;
}

export interface OpenStage<Module> {
  /** The HTTP routes of the stage, if it has any. */
  readonly module?: Module;
  /**
   * The log subscriptions of the stage, started in this order and stopped in reverse. Names are unique within a
   * process.
   */
  readonly consumers: readonly NamedSubscription[];
  /** True when the stage writes or accepts writes. Such a stage is not ready while the clock is implausible. */
  readonly needsClock?: boolean;
  /** True when the stage accepts writes. Such a stage is not ready while the proposal log is stopped. */
  readonly needsLog?: boolean;
}

export interface NamedSubscription {
  readonly name: string;
  readonly subscription: Subscription;
  /** How far all instances of the consumer are together. */
  readonly progress?: () => Promise<ConsumerProgress>;
}
