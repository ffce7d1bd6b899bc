import type {
  AuditStamp,
  ChangeRecord,
  DeadLetterPlace,
  PartitionSequences,
  TimeseriesValue,
  TimeseriesIdentity,
  ProposalEntry,
  Replay,
  StoredAspect,
  SystemMetadata,
  TimeRange,
  WriteOutcome,
} from '@stratalog/domain';
import type { LogRange } from '../logs/consumer';
import type { LogPosition } from '../logs/proposal-log';
import type { AspectRef } from './aspect-ref';
import type { Truncation } from './retention-store';

export interface WriteBatch {
  readonly ranges: readonly LogRange[];
  /** The aspects whose latest values `decide` needs. */
  readonly reads: readonly AspectRead[];
  /** Aspects for which `decide` may call `isMissing`. `reads` must include their urns. */
  readonly defaults?: readonly AspectsOfEntities[];
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
  /** The dead letters that records of the batch replay. */
  readonly letters?: readonly DeadLetterPlace[];
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

/** Aspects of the same names that several entities may have. */
export interface AspectsOfEntities {
  readonly urns: readonly string[];
  readonly aspectNames: readonly string[];
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
   * Known for the aspects of `reads`, for missing ones of `defaults`, and for all aspects of the entities in `wholes` and of
   * deleted entities.
   */
  lastVersion(ref: AspectRef): number;
  /** True when an aspect that `defaults` names does not exist. */
  isMissing(ref: AspectRef): boolean;
  /** The names of the aspects that an entity of `wholes` has. */
  aspectNames(urn: string): readonly string[];
  /** A timeseries value that `timeseriesValues` names, if it exists. */
  timeseriesValue(ref: TimeseriesValueRef): StoredTimeseriesValue | undefined;
  /** The ranges of `timeseriesRanges` that hold values. */
  readonly nonEmptyRanges: readonly TimeseriesRange[];
  /** The value of an aspect that `referenceLookups` reads. */
  referenceValue(ref: AspectRef): string | undefined;
  /** The ids of those of `letters` that are neither replayed nor discarded. Absent when the batch names none. */
  readonly openLetters?: ReadonlySet<string>;
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
  /** Dead letters that the batch has applied. */
  readonly replays?: readonly AppliedReplay[];
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
  /** Present when the reason does not follow from `code` or the content. */
  readonly cause?: 'invalid' | 'conflict' | 'failed';
  /** The dead letter that the record replayed: it was rejected again, and no further one is made. */
  readonly replay?: Replay;
}

/** A dead letter that was applied, with the stamp of its changes. Epoch ms. */
export interface AppliedReplay extends Replay {
  readonly stampMs: number;
}
