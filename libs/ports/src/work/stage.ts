import type { Subscription } from '../logs/consumer';

/**
 * One role of the catalog: ingest, writer, indexer, query. An app is a list of stages; what a stage needs is handed to it,
 * so that the same stage runs alone or with all others in one process.
 *
 * `Deps` is what it needs, `Module` how the framework at the rim mounts its routes.
 */
export interface Stage<Deps, Module> {
  readonly name: string;
  open(parts: Deps): Promise<OpenStage<Module>> | OpenStage<Module>;
}

export interface OpenStage<Module> {
  /** Its HTTP routes, if it has any. */
  readonly module?: Module;
  /** Its readers of logs, started in this order and stopped in the reverse. Names are unique within a process. */
  readonly consumers: readonly NamedSubscription[];
  /** True when it writes, or takes what is to be written: then it is of no use while the clock is not plausible. */
  readonly needsClock?: boolean;
}

export interface NamedSubscription {
  readonly name: string;
  readonly subscription: Subscription;
  /** How many records of its log nobody has dealt with yet, all instances together. */
  readonly lag?: () => Promise<number>;
}
