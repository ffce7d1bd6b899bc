import type { AuditStamp, ChangeRecord, PartitionSequences, SystemMetadata } from '@stratalog/domain';
import type { AspectRef } from './aspect-ref';

/** Reads past versions of aspects, in the order in which the store wrote them. */
export interface AspectHistory {
  /**
   * Lists versions of one aspect in one read of bounded size. A page holds at least one version if the range has any.
   *
   * **Errors**: `undefined` when the store has no version of the aspect, not even a deletion.
   */
  listVersions(range: VersionRange): Promise<VersionPage | undefined>;

  /**
   * Reads the aspects of an entity, all or the named ones, as they were at the end of a millisecond. Aspects that were
   * deleted at that time are left out.
   */
  entityAt(moment: PastTime): Promise<PastEntity>;

  /**
   * Reads aspects of any entities as they were at the end of a millisecond, in one read of bounded size.
   *
   * Aspects that did not exist at that time are left out. Aspects that exceed the size are returned as `rest`, for the
   * next call. A call reads at least one aspect.
   */
  aspectsAt(refs: readonly AspectRef[], timeMs: number): Promise<PastAspects>;

  /** Returns the position that the store had at the end of a millisecond, and the time of its first change. */
  positionAt(timeMs: number): Promise<PastPosition>;

  /**
   * Lists the aspects that existed or were deleted at one position and have a later version at another one, by urn and
   * aspect name in byte order. It reads every change between the two positions.
   */
  listChangedAspects(query: ChangedAspectsQuery): Promise<readonly AspectRef[]>;

  /** Returns those of `refs` that exist and were not written after a time. **Units**: epoch ms. */
  filterUnwritten(refs: readonly AspectRef[], timeMs: number): Promise<readonly AspectRef[]>;

  /**
   * Lists the changes of an entity, newest first, in one read of bounded size. A page holds at least one change if the
   * window has any.
   */
  listChanges(window: ChangeWindow): Promise<ChangePage>;

  /**
   * Lists the changes of all entities, newest first, in one read of bounded size. A page may hold fewer changes than exist, or none: the list
   * goes on at `next` as long as there is one. Changes of one time come by partition.
   */
  listCatalogChanges(window: CatalogChangeWindow): Promise<CatalogChangePage>;

  /**
   * Reads the changes after the given ones, with the values before them. Returns about `limit` at most, and a bounded size; none when there
   * are none.
   *
   * **Order and repeats**: per partition in the order of `seq`, without gaps.
   */
  readChangesAfter(after: PartitionSequences, limit: number): Promise<readonly FollowedChange[]>;

  /**
   * Counts the changes of an entity by the day on which they happened, the earliest day first; days without a change are left out.
   *
   * `undefined` when there are more than `limit` changes within that time.
   */
  countChangesByDay(window: CountedWindow): Promise<readonly ChangesOfDay[] | undefined>;

  /**
   * Counts the versions that a hard delete of an entity removed.
   *
   * The count starts where the entity was created, or created again after an earlier hard delete. It includes versions
   * whose values retention had already purged. 0 when no such deletion exists, because there was nothing to delete.
   */
  countVersionsDeletedBy(deletion: DeletionRef): Promise<number>;

  /**
   * Counts the timeseries values that one deletion removed, of a hard-deleted entity or of one timeseries aspect. 0
   * when no such deletion exists.
   */
  countTimeseriesDeletedBy(deletion: DeletionRef): Promise<number>;
}

/** A deletion by one proposal. */
export interface DeletionRef {
  readonly urn: string;
  /** For a hard delete of an entity: its key aspect. */
  readonly aspectName: string;
  /** A text that only the system metadata of this proposal contains. */
  readonly mark: string;
}

/** One stored version of an aspect: a value or a deletion. */
export interface PastVersion {
  readonly aspectName: string;
  readonly version: number;
  /** Sequence number within the partition of the urn. */
  readonly seq: number;
  readonly kind: 'upsert' | 'delete';
  /** Canonical JSON text. Absent for a deletion, and for a value that was purged. */
  readonly value?: string;
  readonly created: AuditStamp;
  readonly systemMetadata: SystemMetadata;
}

export interface VersionRange {
  readonly urn: string;
  readonly aspectName: string;
  /** Lowest and highest version number, both included. */
  readonly from: number;
  readonly to: number;
  readonly newestFirst: boolean;
  /** True leaves out the values. */
  readonly withoutValues?: boolean;
  readonly limit: number;
}

export interface VersionPage {
  readonly versions: readonly PastVersion[];
  /** True when the range has versions beyond this page. */
  readonly hasMore: boolean;
  /** Lowest and highest version number that the store still has. */
  readonly oldest: number;
  readonly newest: number;
  /** Retention purged values up to this version number; 0 for none. */
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
  /** Aspects that existed at that time, as far as the store knows, and whose value was purged since. */
  readonly lost: readonly string[];
}

export interface PastAspects {
  readonly aspects: readonly (PastVersion & { readonly urn: string; readonly value: string })[];
  /** Aspects that existed at that time, as far as the store knows, and whose value was purged since. */
  readonly lost: readonly AspectRef[];
  readonly rest: readonly AspectRef[];
}

export interface PastPosition {
  readonly position: PartitionSequences;
  /** Epoch ms; absent when the store has no change. */
  readonly firstChangeMs?: number;
}

export interface ChangedAspectsQuery {
  readonly after: PartitionSequences;
  readonly upTo: PartitionSequences;
  readonly aspectNames: readonly string[];
  readonly limit: number;
}

export interface ChangeWindow {
  readonly urn: string;
  readonly aspectNames?: readonly string[];
  /** Only changes with a `seq` below this one. */
  readonly beforeSeq?: number;
  /** Epoch ms, both included. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
  readonly limit: number;
}

export interface CountedWindow extends Pick<ChangeWindow, 'urn' | 'aspectNames' | 'limit'> {
  /** Epoch ms, both included. */
  readonly sinceMs: number;
  readonly untilMs: number;
  /** IANA name of the time zone in which days begin; one that `TimeseriesStatistics.knowsTimeZone` knows. */
  readonly timeZone: string;
}

export interface ChangesOfDay {
  /** Epoch ms. */
  readonly startMs: number;
  readonly count: number;
}

export interface ChangePage {
  readonly changes: readonly PastChange[];
  readonly hasMore: boolean;
}

export interface PastChange extends PastVersion {
  /** The version before this one, if the store has it. Its value is absent when it was purged or was a deletion. */
  readonly previous?: { readonly kind: 'upsert' | 'delete'; readonly value?: string };
}

/** A change as one who follows the log sees it. */
export interface FollowedChange extends Omit<ChangeRecord, 'timestamps'>, Pick<PastChange, 'previous'> {}

/** The place of a change among those of all partitions. */
export interface ChangePlace {
  /** Epoch ms. */
  readonly timeMs: number;
  readonly partition: number;
  readonly seq: number;
}

export interface CatalogChangeWindow {
  /** Only changes of entities of these types; absent: of all. */
  readonly entityTypes?: readonly string[];
  /** Urn of the actor. */
  readonly actor?: string;
  /** Only this change and older ones. */
  readonly from?: ChangePlace;
  /** Epoch ms, both included. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
  readonly limit: number;
}

export interface CatalogChangePage {
  readonly changes: readonly CatalogChange[];
  /** Where the next page begins; absent on the last. */
  readonly next?: ChangePlace;
}

/** A change without its value. */
export interface CatalogChange extends Omit<PastVersion, 'value'>, Pick<ChangePlace, 'partition'> {
  readonly urn: string;
  /** Kind of the version before this one, if the store has it. */
  readonly previousKind?: 'upsert' | 'delete';
}
