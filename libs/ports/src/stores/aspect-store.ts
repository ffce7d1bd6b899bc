import type {
  AspectVersion,
  LatestValue,
  PartitionSequences,
  TimeseriesField,
  TimeseriesValue,
  TimeseriesIdentity,
  StoredEntity,
  TimeRange,
  WriteOutcome,
} from '@stratalog/domain';
import type { LoggedPosition } from '../logs/proposal-log';
import type { AspectRef } from './aspect-ref';
import type { TimeseriesFilter } from './timeseries/timeseries-filter';
import type { WriteBatch, TimeseriesRange } from './write-batch';

/**
 * Stores every version of every aspect: the source of truth.
 *
 * Entities are divided among partitions. Sequence numbers within a partition have no gap.
 */
export interface AspectStore {
  readonly identity: StoreIdentity;

  /**
   * Applies a batch of the proposal log in one transaction.
   *
   * The store locks the log ranges and the store partitions of the batch and reads the aspects that `reads` names. It
   * lets `decide` compute the writes, writes them and moves the log offsets.
   *
   * **Order and repeats**: all or nothing. `decide` runs once, again for each restart of the transaction, and not at
   * all when the offsets have moved.
   *
   * **Errors**: `OffsetConflictError` when a range does not start at the stored offset; then nothing was written.
   * `UnavailableError` when the store does not answer.
   */
  commit(batch: WriteBatch): Promise<readonly WriteOutcome[]>;

  /**
   * Reads an entity with its latest aspects, all or the named ones. `undefined` when the store never wrote the urn. A
   * deleted entity is returned without aspects.
   */
  readEntity(urn: string, aspectNames?: readonly string[]): Promise<StoredEntity | undefined>;

  /**
   * Reads the entities of `urns` with their latest aspects, all or the named ones, in one read of bounded size.
   *
   * Urns that the store never wrote are left out. Urns that exceed the size are returned as `rest`, for the next call.
   * A call reads at least one entity.
   */
  readEntities(urns: readonly string[], aspectNames?: readonly string[]): Promise<EntityPage>;

  /**
   * Reads the latest values of timeseries aspects of entities, in one read of bounded size: the one with the highest
   * timestamp, and of those with one timestamp the one that `readTimeseries` lists first.
   *
   * Urns without such values are left out. Urns that exceed the size are returned as `rest`, for the next call: all values
   * of an entity come in one read.
   */
  readLatestValues(aspects: readonly AspectRef[]): Promise<LatestValuePage>;

  /**
   * Runs reads that all see one state of the store: every change up to `sequences`, and none after it. `work` must be short: the store
   * keeps that state for it.
   *
   * **Order and repeats**: a later call sees the same state or a newer one, whichever process makes it.
   */
  readState<T>(work: (state: StoreState) => Promise<T>): Promise<T>;

  /** Returns those of `urns` that are soft-deleted: their `status` says `removed`. It reads nothing else of them. */
  filterSoftDeleted(urns: readonly string[]): Promise<readonly string[]>;

  /**
   * Reads one stored version that has a value; `undefined` when there is none.
   *
   * Versions count from 1. A negative number counts back from the newest, -1; deletions count too.
   */
  readVersion(urn: string, aspectName: string, version: number): Promise<AspectVersion | undefined>;

  /**
   * Lists values of a timeseries aspect by `timestampMs`; values of the same millisecond come in a fixed order.
   *
   * A page is of bounded size: more values may follow although it holds fewer than `limit`.
   */
  readTimeseries(query: TimeseriesQuery): Promise<TimeseriesPage>;

  /** Counts the timeseries values in a range. */
  countTimeseries(timeseriesValues: TimeseriesRange): Promise<number>;

  /** Reads the last sequence number of each partition. */
  readPartitionSequences(): Promise<PartitionSequences>;

  /** Lists at most `limit` urns after `after` in byte order, including those of deleted entities. */
  urnsAfter(after: string | undefined, limit: number): Promise<readonly string[]>;

  /** Counts the entities that ever existed, by entity type and by whether they are deleted. Reads all entities. */
  countEntities(): Promise<readonly EntityCount[]>;

  /**
   * Lists a page of the urns that begin with a prefix, in byte order, with their total. Deleted entities are left out.
   */
  urnsWith(page: UrnPageRequest): Promise<UrnPage>;

  /**
   * Counts the entities that have an aspect.
   *
   * `urnLike` limits the count to urns that match the pattern: `%` matches any text, `_` one character, and a backslash
   * escapes the character after it.
   */
  countAspects(aspectName: string, urnLike?: string): Promise<number>;

  /** Reads the sizes of latest values in bytes, in the order of `aspects`; 0 for an aspect that does not exist. */
  readSizes(aspects: readonly AspectRef[]): Promise<readonly number[]>;

  /** Reads the outcomes of logged proposals, in the order of `proposals`. */
  readOutcomes(proposals: readonly LoggedProposal[]): Promise<readonly LoggedOutcome[]>;
}

/** One state of the store. */
export interface StoreState extends Pick<AspectStore, 'readEntities' | 'readLatestValues'> {
  /** The last sequence number of each partition. Two states with equal numbers are the same state. */
  readonly sequences: PartitionSequences;
}

export interface EntityCount {
  readonly entityType: string;
  readonly isDeleted: boolean;
  readonly count: number;
}

export interface UrnPageRequest {
  readonly prefix: string;
  readonly start: number;
  readonly count: number;
}

export interface UrnPage {
  readonly urns: readonly string[];
  readonly total: number;
}

export interface EntityPage {
  readonly entities: readonly StoredEntity[];
  readonly rest: readonly string[];
}

export interface LatestValuePage {
  readonly values: ReadonlyMap<string, readonly LatestValue[]>;
  readonly rest: readonly string[];
}

export interface TimeseriesQuery extends AspectRef {
  readonly within: TimeRange;
  /** Only values that pass it. */
  readonly filter?: TimeseriesFilter | undefined;
  /** False: oldest first. */
  readonly latestFirst: boolean;
  /** Orders by a field first, and by time among equal values. Such a read has one page: it takes no `after`. */
  readonly sort?: TimeseriesSort | undefined;
  /** The page starts after this value. */
  readonly after?: TimeseriesIdentity | undefined;
  readonly limit: number;
}

/** Numbers are in their order, texts and lists in that of their bytes; values without the field come last. */
export interface TimeseriesSort {
  readonly field: TimeseriesField;
  readonly isDescending: boolean;
}

/** A timeseries value as a read returns it. */
export interface ReadTimeseriesValue extends Omit<TimeseriesValue, 'systemMetadata'> {
  /** JSON text, as it was written: reads pass on thousands of them, and parse none. */
  readonly systemMetadata: string;
}

export interface TimeseriesPage {
  readonly timeseriesValues: readonly ReadTimeseriesValue[];
  readonly hasMore: boolean;
}

export interface StoreIdentity {
  /** 32 hex digits, generated when the store is created. */
  readonly storeId: string;
  /** Increased when a backup is restored; positions of another epoch are invalid. */
  readonly epoch: number;
  /** Fixed when the store is created. */
  readonly partitions: number;
}

/** The key under which a caller waits for a logged proposal. */
export interface LoggedProposal {
  readonly position: LoggedPosition;
  readonly urn: string;
}

export type LoggedOutcome =
  | { readonly kind: 'pending' }
  /**
   * `seq` is the last sequence number of the urn. 0 when the proposal changed nothing and the store does not know the
   * urn.
   */
  | { readonly kind: 'applied'; readonly seq: number }
  | { readonly kind: 'rejected'; readonly reason: string }
  /** The store applies another log, or has stopped before the proposal: an operator decides whether it is ever applied. */
  | { readonly kind: 'stopped'; readonly reason: string };
