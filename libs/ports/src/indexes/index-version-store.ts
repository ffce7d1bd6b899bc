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
   * Makes one version live and retires all others, including unfinished ones, in one step for all processes. A version
   * that was retired before keeps its time.
   */
  activate(id: string, nowMs: number): Promise<void>;

  /** Retires one version. A version that was retired before keeps its time. */
  retire(id: string, nowMs: number): Promise<void>;

  /** Stores whether a new version is requested in place of this one, and whether its build is on hold. */
  markRebuild(id: string, mark: RebuildMark): Promise<void>;

  /** Stores the builder and the progress of a version, in one step with the check that no process sent a heartbeat after `after`; false otherwise. */
  sendHeartbeat(id: string, heartbeat: BuildHeartbeat): Promise<boolean>;

  /** Deletes a version with all its contents, complete or not. */
  drop(id: string): Promise<void>;
}
