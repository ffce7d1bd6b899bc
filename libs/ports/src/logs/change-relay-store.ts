import type { ChangeRecord, PartitionSequences } from '@stratalog/domain';

/**
 * The store's side of the change relay, which publishes changes to another log.
 *
 * It reads changes in commit order, leases partitions to relays and stores the published position of each partition.
 */
export interface ChangeRelayStore {
  /**
   * Registers `owner` as running and divides the partitions evenly among all running owners. The returned leases are
   * valid for `leaseMs`.
   *
   * **Order and repeats**: called again well before `leaseMs` have passed, and not during publishing. The caller must
   * fence the owners in `unfenced` before it publishes under its leases.
   */
  lease(owner: string, leaseMs: number): Promise<RelayShare>;

  /** Records that the log accepts nothing more from `owner` until it starts again. */
  fenced(owner: string): Promise<void>;

  /**
   * Reads changes after the given ones, per partition in order and without gaps. Returns about `limit` at most, and a
   * bounded size.
   */
  readChanges(after: PartitionSequences, limit: number): Promise<readonly ChangeRecord[]>;

  /** Moves the published position of partitions that `owner` still leases, forward or back; returns those partitions. */
  advance(owner: string, moves: readonly RelayMove[]): Promise<ReadonlySet<number>>;

  /** Reads the change with a number in each partition, to compare it with a published one. */
  readStored(seqs: PartitionSequences): Promise<ReadonlyMap<number, StoredChange>>;

  /** Reads the published position of each partition, for all owners. */
  published(): Promise<PartitionSequences>;

  /** Releases all partitions of `owner` to the next owner. */
  release(owner: string): Promise<void>;

  /** Resolves when there may be more to read, at the latest after `timeoutMs`. */
  changed(timeoutMs: number, signal: AbortSignal): Promise<void>;
}

/** The change of a partition with a given number; without the last members where there is none. */
export interface StoredChange {
  /** The last number of the partition. */
  readonly lastSeq: number;
  readonly urn?: string;
  readonly aspectName?: string;
  readonly version?: number;
  /** Epoch ms. */
  readonly createdMs?: number;
}

export interface RelayShare {
  /** The epoch of the store under which changes are to be published. */
  readonly storeEpoch: number;
  readonly leases: readonly RelayLease[];
  /** Owners whose leases expired and that may still publish. Their partitions may have new owners already. */
  readonly unfenced: readonly string[];
}

export interface RelayLease {
  readonly partition: number;
  /** Increases by one with each new owner. */
  readonly epoch: number;
  /** Last change that is known to be published. */
  readonly published: number;
}

export interface RelayMove extends RelayLease {
  readonly to: number;
}
