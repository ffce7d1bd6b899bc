import type { PartitionSequences, TimeseriesIdentity } from '@stratalog/domain';
import type { AspectRef } from '../aspect-ref';
import type { StoreTransaction } from '../task-store';

/** All values of one timeseries aspect of an entity type. */
export interface TimeseriesSeries {
  /** The beginning of the urns of the type: `urn:li:dataset:`. */
  readonly urnPrefix: string;
  readonly aspectName: string;
}

/** Space that the values of a series take on disk, with their part of the indexes. */
export interface TimeseriesSize {
  readonly entityType: string;
  readonly aspectName: string;
  readonly bytes: number;
  /** The values themselves; absent for a copy of them. */
  readonly values?: MeasuredValues;
}

/** Number and timestamps of the values of a series, of which a large store reads a sample only. */
export interface MeasuredValues {
  readonly count: number;
  /** Epoch ms, of the values that were read. */
  readonly oldestMs: number;
  readonly newestMs: number;
}

/** The values of a series at one instant. */
export interface TimeseriesCount {
  /** Values up to the end of the range. */
  readonly matching: number;
  readonly total: number;
  /** Last sequence number of each partition at that instant: exactly the values up to it were counted. */
  readonly position: PartitionSequences;
}

export interface TimeseriesValuePlace extends TimeseriesIdentity {
  readonly urn: string;
}

/** Selects the values to truncate: those up to a time that were stored up to a position. */
export interface TimeseriesTruncation extends TimeseriesSeries {
  /** Urn of the user whom the change records name. */
  readonly actor: string;
  /** Epoch ms, inclusive. */
  readonly endMs: number;
  /** Values that were stored later stay, whatever their time. */
  readonly position: PartitionSequences;
}

export interface TruncationPage {
  readonly after?: TimeseriesValuePlace | undefined;
  /** Maximum number of values. */
  readonly limit: number;
}

export interface TruncatedPage extends DeletedPage {
  /** The last value of the page, deleted or not; absent when no value is left. */
  readonly last?: TimeseriesValuePlace;
}

/** The values that a run wrote last, of all entities and aspects, at one instant. */
export interface RunTimeseries {
  readonly count: number;
  /** Last sequence number of each partition at that instant: exactly the values up to it were counted. */
  readonly position: PartitionSequences;
}

/** A place among the values of a run, in the order in which it wrote them. */
export interface RunValuePlace {
  readonly seq: number;
  readonly urn: string;
}

/** Selects the values of a run that were stored up to a position. */
export interface RunDeletion {
  /** Urn of the user whom the change records name. */
  readonly actor: string;
  readonly runId: string;
  readonly position: PartitionSequences;
}

export interface RunDeletionPage {
  readonly after?: RunValuePlace | undefined;
  /** Maximum number of values. */
  readonly limit: number;
}

export interface DeletedRunPage extends DeletedPage {
  /** The last value of the page, deleted or not; absent when no value is left. */
  readonly last?: RunValuePlace;
}

/** The result of one page of a deletion. */
interface DeletedPage {
  readonly deleted: number;
  /** The aspects of entities that lost their latest value: what was projected from it is stale. */
  readonly stale: readonly AspectRef[];
}

/**
 * Measures and truncates stored timeseries values, over all entities, and deletes those of runs.
 *
 * A page that deletes values appends a change of kind `delete` for each of their aspects, with the time range of the deleted
 * ones. Others may be left within the range.
 */
export interface TimeseriesStorage {
  /**
   * Measures the space of each series that has values, and counts these. Large stores are sampled; the sizes of all series together are
   * what the server reports.
   */
  measureSizes(): Promise<readonly TimeseriesSize[]>;

  /** Counts the values of a series at one instant. */
  count(series: TimeseriesSeries & { readonly endMs: number }): Promise<TimeseriesCount>;

  /**
   * True when every change up to `position` has reached the readers of the change log, so that no reader needs the
   * stored values any more.
   */
  isPublished(position: PartitionSequences): Promise<boolean>;

  /**
   * Deletes a page of values within a transaction. Writers of the partitions of its entities wait for the transaction, so
   * a page has some hundred values.
   *
   * **Order and repeats**: by urn, time and key. A value that was replaced after the position stays.
   */
  truncatePage(
    transaction: StoreTransaction,
    truncation: TimeseriesTruncation,
    page: TruncationPage,
  ): Promise<TruncatedPage>;

  /** Counts the values that a run wrote last, at one instant. */
  countRun(runId: string): Promise<RunTimeseries>;

  /**
   * Deletes a page of the values of a run within a transaction. Writers of the partitions of its entities wait for the
   * transaction, so a page has some hundred values.
   *
   * **Order and repeats**: in the order of `RunValuePlace`. A value that was written or replaced after the position stays.
   */
  deleteRunPage(
    transaction: StoreTransaction,
    run: RunDeletion,
    page: RunDeletionPage,
  ): Promise<DeletedRunPage>;
}
