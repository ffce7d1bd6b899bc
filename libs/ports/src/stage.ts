import type { ConsumerProgress, Subscription } from './logs/consumer';

/** A dependency of a role: the store, a log, an index that answers queries, or the server that keeps search indices. */
export type Need = 'store' | 'proposals' | 'changes' | 'search' | 'graph' | 'engine';

/**
 * Checks each dependency now. A check resolves while calls can use the dependency.
 *
 * **Errors**: rejects with the reason. It may hang as long as a server does.
 */
export type NeedChecks = Readonly<Record<Need, () => Promise<void>>>;

/**
 * One role of the catalog: ingest, writer, indexer or query.
 *
 * An app is a list of stages. Each stage receives its dependencies, so that it runs alone or with all others in one
 * process. `Deps` are its dependencies; `Module` mounts its controllers in the framework.
 */
export interface Stage<Deps, Module> {
  readonly name: string;
  open(deps: Deps): Promise<OpenStage<Module>> | OpenStage<Module>;
}

export interface OpenStage<Module> {
  /** The controllers of the stage: its HTTP routes, and the handlers of its log consumers. */
  readonly module?: Module;
  /**
   * The log subscriptions of the stage, started in this order and stopped in reverse. Names are unique within a
   * process.
   */
  readonly consumers: readonly NamedSubscription[];
  /**
   * The dependencies that each role of the stage needs to do its work; the first role has the name of the stage. A stage without needs
   * answers from its own memory.
   */
  readonly needs?: Readonly<Record<string, readonly Need[]>>;
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
