import type { BuildHeartbeat, BuildProgress, IndexIdentity } from './derived-index';

/** One version of an index, as its technology stores it. */
export interface IndexVersion {
  /** Identifies the version in its store. */
  readonly id: string;
  /** Name of the version for operators; the `name` of its opened index. */
  readonly name: string;
  readonly identity: IndexIdentity;
  /** Version of the storage layout that the version was created with. */
  readonly layout: number;
  readonly state: 'building' | 'live' | 'retired';
  /** Time at which the version was retired. Epoch ms. */
  readonly retiredMs?: number;
  /** True when a new version was requested in place of this one. */
  readonly isOutdated: boolean;
  /** True while the build of that new version is on hold. */
  readonly isHeld: boolean;
  /** False when a part of its storage is missing. */
  readonly isComplete: boolean;
  readonly progress?: BuildProgress;
  /** Number of heartbeats of processes that built the version. */
  readonly heartbeats: number;
  /** The process that builds the version. */
  readonly builder?: string;
}

/** True when operators want a version replaced. */
export type RebuildMark = Pick<IndexVersion, 'isOutdated' | 'isHeld'>;

/** The conditions of an activation. */
export interface Activation {
  /** The live version that this one replaces; absent: none is live. */
  readonly former: string | undefined;
  /** True when the version must include every change that the former does. */
  readonly mustCover: boolean;
  readonly nowMs: number;
}

/** `behind`: the former version includes changes that this one lacks. `replaced`: another version is live, or this one is retired. */
export type ActivationOutcome = 'activated' | 'behind' | 'replaced';

/**
 * Stores the versions of one kind of index in one technology.
 *
 * It stores and lists only. `StoredIndexVersions` of `libs/indexing` decides which version is continued, live, replaced
 * or deleted, alike for every technology.
 *
 * **Errors**: `UnavailableError` from every method.
 */
export interface IndexVersionStore<Index> {
  /** Version of the storage layout of new versions. Versions of another layout are rebuilt. */
  readonly layout: number;

  /** Maximum number of changes that an index takes in one batch: larger where a batch itself costs much. */
  readonly changesPerBatch: number;

  /** Lists all versions in the order of their creation. One whose storage is still being created may be absent. */
  list(): Promise<readonly IndexVersion[]>;

  /** Adds an empty version in state `building`, with its storage. */
  create(identity: IndexIdentity): Promise<void>;

  /** Opens the index of a version, without access to the store. */
  open(version: IndexVersion): Index;

  /**
   * Makes one version live and retires all others, including unfinished ones, in one step for all processes, unless a condition of the
   * activation does not hold. A version that was retired before keeps its time.
   *
   * **Order and repeats**: the checkpoint of a retired version does not move any more; a write with a position is an `UnavailableError`.
   */
  activate(id: string, activation: Activation): Promise<ActivationOutcome>;

  /** Retires one version that is in `state`, and no other. */
  retire(id: string, state: 'building' | 'live', nowMs: number): Promise<void>;

  /** Stores whether a new version is requested in place of this one, and whether its build is on hold. */
  markRebuild(id: string, mark: RebuildMark): Promise<void>;

  /** Stores the builder and the progress of a version, in one step with the check that no process sent a heartbeat after `after`; false otherwise. */
  sendHeartbeat(id: string, heartbeat: BuildHeartbeat): Promise<boolean>;

  /** Deletes a version with all its contents, complete or not. */
  drop(id: string): Promise<void>;
}
