import type { Clock } from '@stratalog/ports';

/** What every commit of a store goes by. */
export interface CommitContext {
  readonly clock: Clock;
  readonly partitions: number;
  /** Whether somebody publishes the changes. */
  readonly isPublished: boolean;
}
