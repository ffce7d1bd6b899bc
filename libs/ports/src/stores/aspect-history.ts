import type { AuditStamp, SystemMetadata } from '@stratalog/model';

/** What the store keeps of the past: versions of aspects in the order in which they came to be. */
export interface AspectHistory {
  /**
   * Versions of one aspect, in one read of bounded size: at least one where there is any.
   *
   * **Errors**: `undefined` when the store has nothing of the aspect, not even a deletion.
   */
  listVersions(range: VersionRange): Promise<VersionPage | undefined>;

  /** The aspects of an entity, all or the named ones, as they were at the end of a millisecond; none that were deleted by then. */
  entityAt(moment: PastTime): Promise<PastEntity>;

  /** What was changed of an entity, the newest change first, in one read of bounded size: at least one where there is any. */
  listChanges(window: ChangeWindow): Promise<ChangePage>;

  /**
   * How many versions a deletion of a whole entity took away: all since it began, or came back, also those that had lost their values before.
   * 0 when there is no such deletion, because there was nothing to delete.
   */
  countVersionsDeletedBy(deletion: DeletionRef): Promise<number>;

  /** How many points a deletion took away, of an entity with all it has or of a timeseries aspect; 0 when there is no such deletion. */
  countTimeseriesDeletedBy(deletion: DeletionRef): Promise<number>;
}

/** A deletion by one proposal. */
export interface DeletionRef {
  readonly urn: string;
  /** The key aspect of an entity that is deleted as a whole. */
  readonly aspectName: string;
  /** A text that stands in the system metadata of this proposal and of no other. */
  readonly mark: string;
}

/** One version: a value, or a deletion. */
export interface PastVersion {
  readonly aspectName: string;
  readonly version: number;
  /** In the partition of the urn. */
  readonly seq: number;
  readonly kind: 'upsert' | 'delete';
  /** Canonical JSON text; absent for a deletion, and where the value was erased since. */
  readonly value?: string;
  readonly created: AuditStamp;
  readonly systemMetadata: SystemMetadata;
}

export interface VersionRange {
  readonly urn: string;
  readonly aspectName: string;
  /** The lowest and the highest number, both included. */
  readonly from: number;
  readonly to: number;
  readonly newestFirst: boolean;
  readonly limit: number;
}

export interface VersionPage {
  readonly versions: readonly PastVersion[];
  /** Whether the range has versions beyond these. */
  readonly hasMore: boolean;
  /** The lowest number that the store has still, and the highest. */
  readonly oldest: number;
  readonly newest: number;
  /** Values up to this number were erased by retention; 0 for none. */
  readonly truncatedUpTo: number;
}

export interface PastTime {
  readonly urn: string;
  /** Epoch ms. */
  readonly timeMs: number;
  readonly aspectNames?: readonly string[];
}

export interface PastEntity {
  readonly aspects: readonly (PastVersion & { readonly value: string })[];
  /** Aspects that were there, as far as is known, and whose value is not kept any more. */
  readonly lost: readonly string[];
}

export interface ChangeWindow {
  readonly urn: string;
  readonly aspectNames?: readonly string[];
  /** Only changes with a lower number than this. */
  readonly beforeSeq?: number;
  /** Epoch ms, both included. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
  readonly limit: number;
}

export interface ChangePage {
  readonly changes: readonly PastChange[];
  readonly hasMore: boolean;
}

export interface PastChange extends PastVersion {
  /** The version before, if the store has one; without value where that was erased, or deleted the aspect. */
  readonly previous?: { readonly kind: 'upsert' | 'delete'; readonly value?: string };
}
