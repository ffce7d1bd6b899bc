import type { TimeseriesEntry } from '@stratalog/domain';
import type { TimeseriesValueRef } from '../stores/write-batch';
import type { TimeseriesSource } from '../stores/timeseries/timeseries-source';
import type { TimeseriesSize } from '../stores/timeseries/timeseries-storage';
import type {
  TimeseriesStatisticsQuery,
  TimeseriesStatisticsResult,
} from '../stores/timeseries/timeseries-statistics';
import type { IndexVersions, VersionedIndex } from './derived-index';

/** The versions of the index of timeseries values of a store. */
export type TimeseriesIndexVersions = IndexVersions<TimeseriesIndex>;

/** The index of timeseries values of a catalog, and where it reads them. */
export interface TimeseriesIndexing {
  readonly versions: TimeseriesIndexVersions;
  readonly source: TimeseriesSource;
}

/** A range of timeseries values of one entity, of one aspect or of all. */
export interface EntryRange {
  readonly urn: string;
  readonly aspectName?: string | undefined;
  /** Epoch ms, both ends inclusive. */
  readonly startMs: number;
  readonly endMs: number;
}

/** An entry that an index has. */
export interface EntryRef extends TimeseriesValueRef {
  readonly seq: number;
}

/** Holds one entry per timeseries value, in one part per entity type and aspect. */
export interface TimeseriesIndex extends VersionedIndex<TimeseriesEntry> {
  /**
   * Lists entries in a range, after a place, by time and key. Entries that were written without a position may be missing until
   * `makeVisible`.
   */
  listEntries(range: EntryRange, after: EntryRef | undefined, limit: number): Promise<readonly EntryRef[]>;

  /** Makes everything that any process has written visible to `listEntries` and statistics. */
  makeVisible(): Promise<void>;

  /**
   * Deletes entries, for a change with the sequence number `seq`. They are gone for queries after the next write with a position.
   *
   * **Order and repeats**: an entry that was written again since it was listed, with a higher `seq` than that of the deletion, stays.
   */
  deleteEntries(entries: readonly EntryRef[], seq: number): Promise<void>;

  /**
   * Computes statistics as {@link TimeseriesStatistics} does. `undefined` for a query that the index does not answer exactly.
   *
   * **Errors**: `UnavailableError`.
   */
  aggregate(query: TimeseriesStatisticsQuery): Promise<TimeseriesStatisticsResult | undefined>;

  /** Measures the space of each part. */
  measureSizes(): Promise<readonly TimeseriesSize[]>;
}
