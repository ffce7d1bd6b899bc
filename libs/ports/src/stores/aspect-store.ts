import type {
  AspectVersion,
  AuditStamp,
  ChangeRecord,
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

/** The truth: every version of every aspect, in partitions whose sequence numbers have no gap. */
export interface AspectStore {
  readonly identity: StoreIdentity;

  /**
   * Applies a batch of the proposal log in one transaction: locks the log ranges and the store partitions concerned, reads
   * what `reads` names, lets `decide` compute what to write, writes it and moves the log offsets.
   *
   * **Order and repeats**: all or nothing; `decide` runs once, again whenever the store has to begin anew, or not at all when the offsets have
   * moved.
   *
   * **Errors**: `OffsetConflictError` when a range does not start at the stored offset (nothing was written);
   * `UnavailableError` when the store did not answer.
   */
  commit(batch: WriteBatch): Promise<readonly WriteOutcome[]>;

  /**
   * An entity with its latest aspects, all or the named ones; `undefined` when nothing was ever written for the urn. One that was
   * deleted is there, without aspects.
   */
  readEntity(urn: string, aspectNames?: readonly string[]): Promise<StoredEntity | undefined>;

  /**
   * Those of `urns` that were ever written, with their latest aspects, all or the named ones, in one read of bounded size: urns that did not fit
   * any more come back as `rest`, to be asked for again. At least one entity is read.
   */
  readEntities(urns: readonly string[], aspectNames?: readonly string[]): Promise<EntityPage>;

  /** One stored version (1 is the first; negative counts back from the newest number, -1, a deletion's too), if it is there and has a value. */
  readVersion(urn: string, aspectName: string, version: number): Promise<AspectVersion | undefined>;

  /**
   * Points of an aspect in the order of their moments; those of one moment in some fixed order. A page is of bounded size: there may be more
   * behind it although it holds fewer than `limit`.
   */
  readTimeseries(question: TimeseriesQuery): Promise<TimeseriesPage>;

  /** How many points a span holds. */
  countTimeseries(timeseriesValues: TimeseriesRange): Promise<number>;

  /** Last sequence number of each partition. */
  head(): Promise<PartitionSequences>;

  /** Urns in byte order, those after `after`, deleted ones included; at most `limit`. */
  urnsAfter(after: string | undefined, limit: number): Promise<readonly string[]>;

  /** How many entities there ever were, by entity type and whether they are deleted. Reads all of them. */
  countEntities(): Promise<readonly EntityCount[]>;

  /** Urns that begin with a prefix and are not deleted, in byte order, a page of them, with the number of all. */
  urnsWith(page: UrnPageRequest): Promise<UrnPage>;

  /**
   * How many entities have an aspect; with `urnLike` those whose urn is like this pattern, in which `%` stands for any text, `_` for one
   * character and a backslash for the character behind it.
   */
  countAspects(aspectName: string, urnLike?: string): Promise<number>;

  /** What became of logged proposals, in their order. */
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

export interface TimeseriesQuery extends AspectRef {
  readonly within: TimeRange;
  /** False: the oldest comes first. */
  readonly latestFirst: boolean;
  /** Go on behind this one. */
  readonly after?: TimeseriesIdentity | undefined;
  readonly limit: number;
}

export interface TimeseriesPage {
  readonly timeseriesValues: readonly TimeseriesValue[];
  readonly hasMore: boolean;
}

export interface StoreIdentity {
  /** 32 hex digits, made when the store was created. */
  readonly storeId: string;
  /** Raised when a backup is restored: positions of another epoch mean nothing. */
  readonly epoch: number;
  /** Fixed when the store is created. */
  readonly partitions: number;
}

/** A proposal as whoever waits for it knows it. */
export interface LoggedProposal {
  readonly position: LogPosition;
  readonly urn: string;
}

export type LoggedOutcome =
  | { readonly kind: 'pending' }
  /** `seq` is the urn's last one; 0 when there was nothing to do for a urn that the store does not know. */
  | { readonly kind: 'applied'; readonly seq: number }
  | { readonly kind: 'rejected'; readonly reason: string };

export interface WriteBatch {
  readonly ranges: readonly LogRange[];
  /** The aspects whose latest values `decide` needs. */
  readonly reads: readonly AspectRead[];
  /** Urns of which `decide` may ask for the names of all aspects. */
  readonly wholes?: readonly string[];
  /** The points that `decide` may replace. Their urns are among those of `reads`. */
  readonly timeseriesValues?: readonly TimeseriesValueRef[];
  /** Stretches of which `decide` has to know whether they hold points. Their urns are among those of `reads`. */
  readonly timeseriesRanges?: readonly TimeseriesRange[];
  /** What `decide` looks at of entities that the batch does not write: as it is committed by then, without a lock. */
  readonly referenceLookups?: readonly ReferenceLookup[];
  /** Pure: called with what was read under the locks. A long decision lets other work run in between, and is a promise. */
  readonly decide: (snapshot: WriteSnapshot) => WriteSet | Promise<WriteSet>;
  /** Whether deciding may take long: the store is then patient with a transaction in which nothing happens. */
  readonly isHeavy?: (snapshot: WriteSnapshot) => boolean;
}

/** A point of an entity. */
export interface TimeseriesValueRef extends AspectRef, TimeseriesIdentity {}

export interface AspectRead extends AspectRef {
  /** True: the value itself is needed, however large. */
  readonly whole?: boolean;
}

/** An aspect that a decision depends on although its entity is not written. */
export interface ReferenceLookup extends AspectRef {
  /** A member of the value that holds a urn: the aspect of the same name of that entity is looked at too, and so on, for 32 steps. */
  readonly followField?: string;
}

/** What the store read under the locks. */
export interface WriteSnapshot {
  /** The stamp for this batch, per partition: the clock's time, but never below the partition's last stamp. Epoch ms. */
  readonly stamps: ReadonlyMap<number, number>;
  /** Last sequence number of each partition that a read's urn lives in. */
  readonly seqs: PartitionSequences;
  partitionOf(urn: string): number;
  /** An entity that `reads` names; `undefined` when nothing was ever written for it. */
  entity(urn: string): EntityState | undefined;
  /** `undefined` for an aspect that is not there, or not any more. */
  aspect(ref: AspectRef): LatestAspect | undefined;
  /**
   * The last number that the aspect got, that of its deletion included; 0 for none. Known of what `reads` names, and of all aspects
   * of the entities in `wholes` and of deleted ones.
   */
  lastVersion(ref: AspectRef): number;
  /** The aspects that an entity of `wholes` has. */
  aspectNames(urn: string): readonly string[];
  /** A point that `timeseriesValues` names, where there is one. */
  timeseriesValue(ref: TimeseriesValueRef): StoredTimeseriesValue | undefined;
  /** Those of `timeseriesRanges` that hold points. */
  readonly nonEmptyRanges: readonly TimeseriesRange[];
  /** The value of an aspect that was looked at. */
  lookedUp(ref: AspectRef): string | undefined;
}

/** A point as a decision needs it. */
export interface StoredTimeseriesValue {
  readonly seq: number;
  isValue(text: string): boolean;
}

export interface EntityState {
  /** Last sequence number of the urn. */
  readonly seq: number;
  /** Deleted as a whole, and not come back. */
  readonly deleted: boolean;
}

/** The latest value of an aspect as a decision needs it: whether it is a given one, and the value itself where it is small or was asked for. */
export interface LatestAspect extends Omit<StoredAspect, 'value' | 'name'> {
  isValue(text: string): boolean;
  /** The value; absent when it is large and was not asked for as a whole. */
  readonly value?: string;
}

/** What a batch writes. */
export interface WriteSet {
  /** Each with the next sequence number of its partition. */
  readonly changes: readonly NewChange[];
  /** Points, each with a change of its own among `changes`; none twice. They replace those of their identity. */
  readonly timeseriesValues?: readonly NewTimeseriesValue[];
  /** Points that are taken away, one deletion after the other, before `timeseriesValues` are written; the store notes how many each took, if any. */
  readonly timeseriesDeletions?: readonly TimeseriesDeletion[];
  /** Entities that are deleted as a whole. */
  readonly deletions: readonly EntityDeletion[];
  /** What retention lets go of the histories that the changes make longer, each aspect once. */
  readonly truncations?: readonly Truncation[];
  /** Latest values whose provenance is refreshed without a new version. */
  readonly refreshes: readonly Refresh[];
  /** Proposals that are kept aside with the reason instead of being applied. */
  readonly rejections: readonly Rejection[];
  /** One for each record of the batch, in order. */
  readonly outcomes: readonly WriteOutcome[];
  /** How far of its ranges the batch was decided, each from the same place on; all of them to their ends unless given. */
  readonly ranges?: readonly LogRange[];
}

export interface NewChange extends ChangeRecord {
  /** Of a value: when the aspect came to be; absent when it does with this change. */
  readonly aspectCreated?: AuditStamp;
}

export interface NewTimeseriesValue extends AspectRef, TimeseriesValue {}

/** The points of one aspect of an entity, or of all of them, that lie within a stretch of time. */
export interface TimeseriesRange {
  readonly urn: string;
  readonly aspectName?: string | undefined;
  readonly within: TimeRange;
}

/** The points of a span that go with a change of kind `delete`. */
export interface TimeseriesDeletion extends TimeseriesRange {
  readonly partition: number;
  /** Of that change. */
  readonly seq: number;
  /** How many it took besides that the batch itself had written and nobody has stored. */
  readonly unstored: number;
}

/** The values of all changes of the urn up to `seq` are erased; the changes stay. */
export interface EntityDeletion {
  readonly urn: string;
  /** The last change that deleted one of its aspects. */
  readonly seq: number;
}

export interface Refresh extends AspectRef {
  readonly observed: SystemMetadata;
}

export interface Rejection {
  readonly position: LogPosition;
  readonly reason: string;
  /** Present when the reason may pass: a later model may know the aspect, or the entity type. */
  readonly code?: 'unknown-aspect' | 'unknown-entity-type';
  readonly content: { readonly proposal: ProposalEntry } | { readonly bytes: Uint8Array };
}
