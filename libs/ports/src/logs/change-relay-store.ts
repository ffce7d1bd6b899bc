import type { ChangeRecord, PartitionSequences } from '@stratalog/model';

/**
 * What publishing the store's changes to another log needs of the store: the changes in commit order, who publishes which
 * partition, and up to which change they are published.
 */
export interface ChangeRelayStore {
  /**
   * Says that `owner` is there, and divides the partitions anew: each of the processes that are there gets an equal share. What is
   * `owner`'s afterwards is its own for `leaseMs`.
   *
   * **Order and repeats**: called again well before `leaseMs` have passed, and not while publishing. Nothing is to be published
   * under the leases before those who are `unfenced` have been.
   */
  lease(owner: string, leaseMs: number): Promise<RelayShare>;

  /** The log takes nothing any more from this one, unless it begins anew. */
  fenced(owner: string): Promise<void>;

  /** Changes after the given ones, per partition in order and without gap; at most about `limit`, and of bounded size. */
  readChanges(after: PartitionSequences, limit: number): Promise<readonly ChangeRecord[]>;

  /** Moves what is published, where the lease is still `owner`'s; answers the partitions where it was. */
  advance(owner: string, moves: readonly RelayMove[]): Promise<ReadonlySet<number>>;

  /** Up to where each partition is published, whoever does it. */
  published(): Promise<PartitionSequences>;

  /** Gives all of `owner`'s partitions to whoever comes next. */
  release(owner: string): Promise<void>;

  /** Resolves when there may be more to read, at the latest after `timeoutMs`. */
  changed(timeoutMs: number, signal: AbortSignal): Promise<void>;
}

export interface RelayShare {
  readonly leases: readonly RelayLease[];
  /** Owners that were silent for too long and may still be about to publish, whoever has their partitions now. */
  readonly unfenced: readonly string[];
}

export interface RelayLease {
  readonly partition: number;
  /** One more for each new owner. */
  readonly epoch: number;
  /** Last change that is known to be published. */
  readonly published: number;
}

export interface RelayMove extends RelayLease {
  readonly to: number;
}
