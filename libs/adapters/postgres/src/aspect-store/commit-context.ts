import type { Clock } from '@stratalog/ports';

/** The settings of a store that every commit needs. */
export interface CommitContext {
  readonly clock: Clock;
  readonly partitions: number;
  /** True when a relay publishes the changes. */
  readonly isPublished: boolean;
}
