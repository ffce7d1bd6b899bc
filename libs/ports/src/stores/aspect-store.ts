import type {
  AspectVersion,
  AuditStamp,
  ChangeRecord,
  LatestValue,
  PartitionSequences,
  TimeseriesValue,
  TimeseriesIdentity,
  ProposalEntry,
  StoredAspect,
  StoredEntity,
  SystemMetadata,
  TimeRange,
  WriteOutcome,
} from '@stratalog/model';
import type { LogRange } from '../logs/consumer';
import type { LogPosition } from '../logs/proposal-log';
import type { AspectRef } from './aspect-ref';
import type { Truncation } from './retention-store';
import type { TimeseriesFilter } from './timeseries-filter';

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
  head(): Promise<PartitionSequences>;

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

  /** Reads the outcomes of logged proposals, in the order of `proposals`. */
  readOutcomes(proposals: readonly LoggedProposal[]): Promise<readonly LoggedOutcome[]>;
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
  /** The page starts after this value. */
  readonly after?: TimeseriesIdentity | undefined;
  readonly limit: number;
}

export interface TimeseriesPage {
  readonly timeseriesValues: readonly TimeseriesValue[];
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
  readonly position: LogPosition;
  readonly urn: string;
}

export type LoggedOutcome =
  | { readonly kind: 'pending' }
  /**
   * `seq` is the last sequence number of the urn. 0 when the proposal changed nothing and the store does not know the
   * urn.
   */
  | { readonly kind: 'applied'; readonly seq: number }
  | { readonly kind: 'rejected'; readonly reason: string };

export interface WriteBatch {
  readonly ranges: readonly LogRange[];
  /** The aspects whose latest values `decide` needs. */
  readonly reads: readonly AspectRead[];
  /** Urns for which `decide` may call `aspectNames`. */
  readonly wholes?: readonly string[];
  /** The timeseries values that `decide` may replace. `reads` must include their urns. */
  readonly timeseriesValues?: readonly TimeseriesValueRef[];
  /** Time ranges of which `decide` must know whether they hold values. `reads` must include their urns. */
  readonly timeseriesRanges?: readonly TimeseriesRange[];
  /**
   * Aspects that `decide` reads of entities that the batch does not write. They are read as committed, without a lock.
   */
  readonly referenceLookups?: readonly ReferenceLookup[];
  /**
   * Pure; receives what the store read under the locks. A long decision returns a promise and yields to other work; the
   * store keeps its transaction open for it.
   */
  readonly decide: (snapshot: WriteSnapshot) => WriteSet | Promise<WriteSet>;
}

/** Identifies one timeseries value of an entity. */
export interface TimeseriesValueRef extends AspectRef, TimeseriesIdentity {}

export interface AspectRead extends AspectRef {
  /** True: `decide` needs the value itself, whatever its size. */
  readonly whole?: boolean;
}

/** An aspect that a decision depends on, of an entity that the batch does not write. */
export interface ReferenceLookup extends AspectRef {
  /**
   * A field of the value that holds a urn. The store then reads the same aspect of that entity too, for up to 32 steps.
   */
  readonly followField?: string;
}

/** Holds what the store read under the locks. */
export interface WriteSnapshot {
  /**
   * The timestamp for this batch, per partition: the clock's time, but never below the partition's last stamp. Epoch
   * ms.
   */
  readonly stamps: ReadonlyMap<number, number>;
  /** Last sequence number of each partition that holds a urn of `reads`. */
  readonly seqs: PartitionSequences;
  partitionOf(urn: string): number;
  /** The state of an entity that `reads` names; `undefined` when the store never wrote it. */
  entity(urn: string): EntityState | undefined;
  /** `undefined` when the aspect does not exist or is deleted. */
  aspect(ref: AspectRef): LatestAspect | undefined;
  /**
   * The last version number of the aspect, including that of its deletion; 0 for none.
   *
   * Known for the aspects of `reads`, and for all aspects of the entities in `wholes` and of deleted entities.
   */
  lastVersion(ref: AspectRef): number;
  /** The names of the aspects that an entity of `wholes` has. */
  aspectNames(urn: string): readonly string[];
  /** A timeseries value that `timeseriesValues` names, if it exists. */
  timeseriesValue(ref: TimeseriesValueRef): StoredTimeseriesValue | undefined;
  /** The ranges of `timeseriesRanges` that hold values. */
  readonly nonEmptyRanges: readonly TimeseriesRange[];
  /** The value of an aspect that `referenceLookups` reads. */
  referenceValue(ref: AspectRef): string | undefined;
}

/** A stored timeseries value, reduced to the facts that a decision needs. */
export interface StoredTimeseriesValue {
  readonly seq: number;
  isValue(text: string): boolean;
}

export interface EntityState {
  /** Last sequence number of the urn. */
  readonly seq: number;
  /** True when the entity is hard-deleted and was not created again. */
  readonly deleted: boolean;
}

/**
 * The latest value of an aspect, reduced to the facts that a decision needs.
 *
 * It compares the value with a given text. It holds the value itself when that is small or when `whole` asked for it.
 */
export interface LatestAspect extends Omit<StoredAspect, 'value' | 'name'> {
  isValue(text: string): boolean;
  /** Absent when the value is large and the read did not ask for it with `whole`. */
  readonly value?: string;
}

/** Everything that a batch writes. */
export interface WriteSet {
  /** Each change takes the next sequence number of its partition. */
  readonly changes: readonly NewChange[];
  /**
   * Timeseries values, each with its own change among `changes` and each identity once. They replace stored values of
   * the same identity.
   */
  readonly timeseriesValues?: readonly NewTimeseriesValue[];
  /**
   * Deletions of timeseries values, in order. They run before `timeseriesValues` are written, and the store records how
   * many values each removes.
   */
  readonly timeseriesDeletions?: readonly TimeseriesDeletion[];
  /** Entities to hard-delete. */
  readonly deletions: readonly EntityDeletion[];
  /** Values that retention purges from the histories that `changes` extend; each aspect once. */
  readonly truncations?: readonly Truncation[];
  /** Latest values whose system metadata is refreshed without a new version. */
  readonly refreshes: readonly Refresh[];
  /** Proposals that become dead letters instead of being applied. */
  readonly rejections: readonly Rejection[];
  /** One outcome for each record of the batch, in order. */
  readonly outcomes: readonly WriteOutcome[];
  /** The part of each range that the batch decided, from the start of the range. Absent: all ranges to their ends. */
  readonly ranges?: readonly LogRange[];
}

export interface NewChange extends ChangeRecord {
  /** For a value: the stamp of the aspect's creation. Absent when this change creates the aspect. */
  readonly aspectCreated?: AuditStamp;
}

export interface NewTimeseriesValue extends AspectRef, TimeseriesValue {}

/** The values of one timeseries aspect, or of all timeseries aspects of an entity, within a time range. */
export interface TimeseriesRange {
  readonly urn: string;
  readonly aspectName?: string | undefined;
  readonly within: TimeRange;
}

/** The timeseries values that a change of kind `delete` removes. */
export interface TimeseriesDeletion extends TimeseriesRange {
  readonly partition: number;
  /** Sequence number of that change. */
  readonly seq: number;
  /** The number of removed values that only this batch had written, so that the store never held them. */
  readonly unstored: number;
}

/** Erases the values of all changes of the urn up to `seq`; the changes stay. */
export interface EntityDeletion {
  readonly urn: string;
  /** Sequence number of the last change that deleted one of the entity's aspects. */
  readonly seq: number;
}

export interface Refresh extends AspectRef {
  readonly observed: SystemMetadata;
}

export interface Rejection {
  readonly position: LogPosition;
  readonly reason: string;
  /** Present when a later model may accept the proposal, because it knows the aspect or the entity type. */
  readonly code?: 'unknown-aspect' | 'unknown-entity-type';
  readonly content: { readonly proposal: ProposalEntry } | { readonly bytes: Uint8Array };
}
