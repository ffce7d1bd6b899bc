import type {
  AspectVersion,
  ChangeRecord,
  PartitionOffsets,
  Proposal,
  StoredAspect,
  StoredEntity,
  SystemMetadata,
  WriteOutcome,
} from '@stratalog/model';
import type { LogRange } from './consumer';
import type { LogPosition } from './proposal-log';

/** The truth: every version of every aspect, in partitions whose sequence numbers have no gap. */
export interface AspectStore {
  readonly identity: StoreIdentity;

  /**
   * Applies a batch of the proposal log in one transaction: locks the log ranges and the store partitions concerned, reads
   * what `reads` names, lets `decide` compute what to write, writes it and moves the log offsets.
   *
   * **Order and repeats**: all or nothing; `decide` runs once, or not at all when the offsets have moved.
   *
   * **Errors**: `LogMovedError` when a range does not start at the stored offset (nothing was written);
   * `UnavailableError` when the store did not answer.
   */
  commit(batch: WriteBatch): Promise<readonly WriteOutcome[]>;

  /** An entity with its latest aspects, all or the named ones; `undefined` when nothing was ever written for the urn. */
  readEntity(urn: string, aspectNames?: readonly string[]): Promise<StoredEntity | undefined>;

  /**
   * Those of `urns` that exist, with their latest aspects, all or the named ones, in one read of bounded size: urns that did not fit
   * any more come back as `rest`, to be asked for again. At least one entity is read.
   */
  readEntities(urns: readonly string[], aspectNames?: readonly string[]): Promise<EntityPage>;

  /** One stored version (1 is the first; negative counts back from the latest, -1), if it is there. */
  readVersion(urn: string, aspectName: string, version: number): Promise<AspectVersion | undefined>;

  /** Last sequence number of each partition. */
  head(): Promise<PartitionOffsets>;

  /** Urns in byte order, those after `after`; at most `limit`. */
  urnsAfter(after: string | undefined, limit: number): Promise<readonly string[]>;

  /** What became of logged proposals, in their order. */
  outcomesOf(proposals: readonly LoggedProposal[]): Promise<readonly LoggedOutcome[]>;
}

export interface EntityPage {
  readonly entities: readonly StoredEntity[];
  readonly rest: readonly string[];
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
  /** `seq` is the urn's last one. */
  | { readonly kind: 'applied'; readonly seq: number }
  | { readonly kind: 'refused'; readonly reason: string }
  /** The log is past it and the store does not know the urn. */
  | { readonly kind: 'failed'; readonly cause: Error };

export interface WriteBatch {
  readonly ranges: readonly LogRange[];
  /** The aspects whose latest values `decide` needs. */
  readonly reads: readonly AspectRef[];
  /** What `decide` looks at of entities that the batch does not write: as it is committed by then, without a lock. */
  readonly looks?: readonly Look[];
  /** Pure: called with what was read under the locks. */
  readonly decide: (snapshot: WriteSnapshot) => WriteSet;
}

export interface AspectRef {
  readonly urn: string;
  readonly aspectName: string;
}

/** An aspect that a decision depends on although its entity is not written. */
export interface Look extends AspectRef {
  /** A member of the value that holds a urn: the aspect of the same name of that entity is looked at too, and so on, for 32 steps. */
  readonly onwards?: string;
}

/** What the store read under the locks. */
export interface WriteSnapshot {
  /** The stamp for this batch, per partition: the clock's time, but never below the partition's last stamp. Epoch ms. */
  readonly stamps: ReadonlyMap<number, number>;
  /** Last sequence number of each partition that a read's urn lives in. */
  readonly seqs: PartitionOffsets;
  partitionOf(urn: string): number;
  /** Last sequence number of a urn that `reads` names; `undefined` when nothing was ever written for it. */
  entitySeq(urn: string): number | undefined;
  aspect(ref: AspectRef): LatestAspect | undefined;
  /** The value of an aspect that was looked at. */
  looked(ref: AspectRef): string | undefined;
}

/** The latest value of an aspect as a decision needs it: not the value, which may be large, but whether it is a given one. */
export interface LatestAspect extends Omit<StoredAspect, 'value' | 'name'> {
  isValue(text: string): boolean;
}

/** What a batch writes. */
export interface WriteSet {
  /** New versions, each with the next sequence number of its partition. */
  readonly changes: readonly ChangeRecord[];
  /** Latest values whose provenance is refreshed without a new version. */
  readonly refreshes: readonly Refresh[];
  /** Proposals that are kept aside with the reason instead of being applied. */
  readonly refusals: readonly Refusal[];
  /** One for each record of the batch, in order. */
  readonly outcomes: readonly WriteOutcome[];
}

export interface Refresh extends AspectRef {
  readonly observed: SystemMetadata;
}

export interface Refusal {
  readonly position: LogPosition;
  readonly reason: string;
  /** Present when the reason may pass: a later model may know the aspect, or the entity type. */
  readonly code?: 'unknown-aspect' | 'unknown-entity-type';
  readonly content: { readonly proposal: Proposal } | { readonly bytes: Uint8Array };
}
