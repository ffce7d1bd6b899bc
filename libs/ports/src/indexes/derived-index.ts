import { UnavailableError, type PartitionSequences } from '@stratalog/domain';
import type { TimeseriesValueRef } from '../stores/write-batch';

/** Wakes those who wait in this process for a checkpoint to move. A hint only: it may be spurious, and other processes poll. */
export interface CheckpointMoves {
  notify(): void;
  /** Resolves at the next notification, after `timeoutMs`, or when `signal` aborts, whichever comes first. */
  wait(timeoutMs: number, signal?: AbortSignal): Promise<void>;
}

/**
 * The versions of one kind of index over a store.
 *
 * One version is live and answers queries. Another may be built alongside it and replaces it once it has caught up, so
 * that a rebuild never shows an empty or partial index.
 */
export interface IndexVersions<Index> {
  /** Notifies the waiters of this process when it has moved the checkpoint of a version. */
  readonly moves: CheckpointMoves;
  /** Maximum number of changes that an index takes in one batch. */
  readonly changesPerBatch: number;
  /** The live version, if one was activated and all its parts still exist. `undefined` when a part is missing. */
  live(): Promise<Index | undefined>;
  /**
   * Creates an empty index that does not answer queries yet. Continues an unfinished one of the same identity if it is
   * complete.
   */
  create(identity: IndexIdentity): Promise<Index>;
  /**
   * Makes `index` the live version. The former stays for the queries that already use it, until `deleteRetired` deletes it.
   *
   * False when the live version includes changes that `index` lacks, so that answers would go back in time; then nothing has changed.
   *
   * **Errors**: `UnavailableError` when `index` was deleted, or replaced by another version.
   */
  activate(index: Index): Promise<boolean>;
  /** Deletes replaced versions once no query can use them. */
  deleteRetired(): Promise<void>;
  /**
   * Requests a new version in place of the live one, from whichever process builds it.
   *
   * The live version answers until then, but its identity changes at once. Does nothing when there is no live version,
   * because one is built in any case. Continues a build that is on hold.
   */
  requestRebuild(): Promise<void>;
  /** Puts a requested build on hold, until `requestRebuild` or `cancelRebuild`. A process that builds obeys within a second or two. */
  holdRebuild(): Promise<void>;
  /**
   * Takes a requested rebuild back: the live version stays, and unfinished ones of its identity are retired. A build that completes at
   * the same time may still replace it.
   */
  cancelRebuild(): Promise<void>;
  /** Stops `index` from answering queries, with no replacement. */
  retire(index: Index): Promise<void>;
  /** Reads how far the build of `index` is, and who builds it; `undefined` when the version is retired or gone. */
  readBuild(index: Index): Promise<IndexBuildState | undefined>;
  /** Reports that a process builds `index`, and how far it is; false when the heartbeat does not follow the last one. */
  sendHeartbeat(index: Index, heartbeat: BuildHeartbeat): Promise<boolean>;
  /** Describes the versions, for operators. */
  state(): Promise<IndexVersionsState>;
  /** Deletes `index` with all its contents at once; queries that use it fail. */
  drop(index: Index): Promise<void>;
}

export interface IndexVersionsState {
  readonly live?: {
    readonly name: string;
    /** True when a rebuild was requested and is not complete. */
    readonly isOutdated: boolean;
    /** True while the requested rebuild is on hold. */
    readonly isHeld: boolean;
  };
  /** The version that is being built; the newest if there are several. */
  readonly building?: { readonly name: string; readonly progress?: BuildProgress };
}

/** The build of one index version: one process builds it at a time. */
export interface IndexBuildState {
  readonly isLive: boolean;
  /** Number of heartbeats so far. While the builder lives, it grows. */
  readonly heartbeats: number;
  /** The process that sent the last heartbeat; absent when that process stopped building. */
  readonly builder?: string;
  readonly progress?: BuildProgress;
}

/** A heartbeat of the process that builds an index version. */
export interface BuildHeartbeat extends Pick<IndexBuildState, 'builder'> {
  /** The number of heartbeats before this one: a heartbeat that another process was faster than is rejected. */
  readonly after: number;
  /** Absent: unchanged. */
  readonly progress?: BuildProgress;
}

/** Number of entities that a new index version holds, and the number of entities when its build began. */
export interface BuildProgress {
  readonly done: number;
  readonly total: number;
  /** Where another process continues the build; absent once every entity is written. */
  readonly resume?: BuildCheckpoint;
}

/** The entities that an unfinished index version includes. */
export interface BuildCheckpoint {
  /** All entities up to this urn, by urn in byte order, */
  readonly after: string;
  /** as of these sequence numbers, by partition, or later. */
  readonly position: Readonly<Record<string, number>>;
  /** Of the next entity, the part that the version includes too: its timeseries values up to this one. */
  readonly writtenUpTo?: TimeseriesValueRef;
}

/** Identifies the inputs of an index. A different identity means that contents or positions may differ. */
export interface IndexIdentity {
  readonly storeId: string;
  readonly epoch: number;
  /** Fingerprint of all rules that project an entity to its entry. */
  readonly mapping: string;
}

/** One version of an index that follows the change log. */
export interface VersionedIndex<Entry> {
  readonly name: string;
  readonly identity: IndexIdentity;

  /** Reads the checkpoint: the index includes every change of the store up to here. */
  position(): Promise<PartitionSequences>;

  /**
   * Writes entries and moves the checkpoint to `position`. When it resolves, queries see these entries and all earlier
   * ones.
   *
   * Without `position`, queries may see the entries only after the next write that has one. Long scans use this,
   * because making a page visible can cost more than writing it.
   *
   * **Order and repeats**: an entry with a `seq` below the stored one is dropped as late; an equal `seq` is written
   * again. The checkpoint never moves back.
   *
   * **Errors**: `UnavailableError`; then the checkpoint has not moved. `ReplacedVersionError` when the version is retired.
   */
  write(entries: readonly Entry[], position?: PartitionSequences): Promise<void>;

  /**
   * Counts the entries that are stored completely. Entries written without a position count after the next write that
   * has one.
   */
  count(): Promise<number>;
}

/** Another index version replaced the one that was written to, and gets its changes by itself. */
export class ReplacedVersionError extends UnavailableError {
  constructor() {
    super('The index version was replaced meanwhile');
  }
}

/** An index that holds one `Entry` per urn, projected from the latest state of the entity. */
export interface DerivedIndex<Entry> extends VersionedIndex<Entry> {
  /** Lists stored entries after `after`, by urn in byte order, to compare two indices of one technology. */
  fingerprintsAfter(after: string | undefined, limit: number): Promise<readonly EntryFingerprint[]>;

  /** Returns those of `urns` that have a complete entry, in any order. */
  filterPresent(urns: readonly string[]): Promise<readonly string[]>;
}

export interface EntryFingerprint {
  readonly urn: string;
  /** Hash of everything that the index stores for the urn, except the version of the entry. */
  readonly fingerprint: string;
}
