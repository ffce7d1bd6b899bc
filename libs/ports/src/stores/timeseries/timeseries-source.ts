import type { TimeseriesValue } from '@stratalog/domain';
import type { AspectRef } from '../aspect-ref';
import type { TimeseriesValueRef } from '../write-batch';

/** A stored timeseries value, without its system metadata. */
export interface SourceValue extends AspectRef, Omit<TimeseriesValue, 'systemMetadata'> {}

/** A change that wrote a timeseries value. */
export interface WrittenValue extends AspectRef {
  readonly timestampMs: number;
  readonly seq: number;
}

export interface WrittenValues {
  readonly values: readonly SourceValue[];
  /** Number of the changes that were read, from the first; the rest is for the next call. */
  readonly read: number;
}

export interface SourceRange {
  /** Only entities after this urn, in byte order. */
  readonly afterUrn: string | undefined;
  /** Only entities up to this urn. */
  readonly upToUrn: string;
  /** The last value of the page before. */
  readonly after: TimeseriesValueRef | undefined;
  readonly limit: number;
}

/**
 * Reads stored timeseries values of any entities, for indices of them.
 *
 * **Errors**: `UnavailableError` from every method.
 */
export interface TimeseriesSource {
  /** Reads the values that changes wrote, in one read of bounded size. Values that were deleted or replaced since are left out. */
  readWritten(changes: readonly WrittenValue[]): Promise<WrittenValues>;

  /**
   * Reads a page of all values of a range of entities, of bounded size; an empty one is behind the last.
   *
   * **Order and repeats**: by urn, aspect, time and key.
   */
  readRange(range: SourceRange): Promise<readonly SourceValue[]>;

  /** Returns those of `values` that are stored, in any order. */
  filterStored(values: readonly TimeseriesValueRef[]): Promise<readonly TimeseriesValueRef[]>;

  /** Counts the values of these aspects. Reads all of them. */
  countValues(aspectNames: readonly string[]): Promise<number>;
}
