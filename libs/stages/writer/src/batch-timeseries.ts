import { aspectKey, isWithin, timeseriesValueId, timeRange } from '@stratalog/domain';
import type {
  NewTimeseriesValue,
  TimeseriesDeletion,
  TimeseriesValueRef,
  TimeseriesRange,
  StoredTimeseriesValue,
  WriteSnapshot,
} from '@stratalog/ports';

/** Returns the range of all timeseries values of an entity. */
export function allTimeseriesOf(urn: string): TimeseriesRange {
  return { urn, within: {} };
}

/** The stored timeseries values with the changes of a batch so far. */
export class BatchTimeseries {
  readonly removed: TimeseriesDeletion[] = [];
  private readonly own = new Map<string, NewTimeseriesValue>();

  constructor(private readonly snapshot: Pick<WriteSnapshot, 'timeseriesValue' | 'nonEmptyRanges'>) {}

  get written(): readonly NewTimeseriesValue[] {
    return [...this.own.values()];
  }

  at(ref: TimeseriesValueRef): StoredTimeseriesValue | undefined {
    const own = this.own.get(timeseriesValueId(ref));
    if (own !== undefined) return { seq: own.seq, isValue: (text) => text === own.value };
    return this.stored(ref);
  }

  write(timeseriesValue: NewTimeseriesValue): void {
    this.own.set(timeseriesValueId(timeseriesValue), timeseriesValue);
  }

  /** Ranges with values: the non-empty ones of the snapshot that are not deleted, and the batch's own writes. */
  get nonEmptyRanges(): readonly TimeseriesRange[] {
    const left = this.snapshot.nonEmptyRanges.filter(
      (range) => !this.removed.some((deleted) => covers(deleted, range)),
    );
    return [...left, ...this.written.map(toRange)];
  }

  /**
   * True when the range has no value; the batch must have declared the range. For a range over all aspects the result
   * may be false although earlier records of the batch deleted the last values.
   */
  isEmpty(range: TimeseriesRange): boolean {
    return !this.nonEmptyRanges.some((filled) => covers(range, filled));
  }

  /**
   * Drops the batch's own writes in the range, which are never stored. The deletion counts those that replaced no
   * stored value.
   */
  remove(deletion: TimeseriesDeletion): void {
    let { unstored } = deletion;
    for (const [id, timeseriesValue] of this.own) {
      if (!contains(deletion, timeseriesValue)) continue;
      this.own.delete(id);
      if (this.stored(timeseriesValue) === undefined) unstored++;
    }
    this.removed.push({ ...deletion, unstored });
  }

  /** Takes over the changes of a branch. */
  adopt(branch: BatchTimeseries): void {
    for (const deletion of branch.removed) this.remove(deletion);
    for (const timeseriesValue of branch.written) this.write(timeseriesValue);
  }

  /** Returns a stored value that the batch has not deleted. */
  private stored(ref: TimeseriesValueRef): StoredTimeseriesValue | undefined {
    return this.removed.some((range) => contains(range, ref))
      ? undefined
      : this.snapshot.timeseriesValue(ref);
  }
}

/**
 * Splits ranges at every start and end of another range of the same aspect, so each piece lies completely inside or
 * outside any range.
 * The store reports which pieces have values, so emptiness stays known after a deletion of a part.
 */
export function splitPieces(ranges: readonly TimeseriesRange[]): readonly TimeseriesRange[] {
  const series = new Map<string, TimeseriesRange[]>();
  for (const range of ranges) {
    const { urn, aspectName = '' } = range;
    const key = aspectKey({ urn, aspectName });
    const known = series.get(key);
    if (known === undefined) series.set(key, [range]);
    else known.push(range);
  }
  return [...series.values()].flatMap(splitSeries);
}

/** Splits the ranges of one aspect. */
function splitSeries(ranges: readonly TimeseriesRange[]): readonly TimeseriesRange[] {
  const bounds = ranges.flatMap(({ within: { startMs = -Infinity, endMs = Infinity } }) => [
    startMs,
    endMs + 1,
  ]);
  const starts = [...new Set(bounds)].sort((one, other) => one - other);
  return starts.flatMap((from, at) => {
    const to = (starts[at + 1] ?? Infinity) - 1;
    const within = timeRange(from === -Infinity ? null : from, to === Infinity ? null : to);
    const outer = ranges.find((range) => from < Infinity && covers(range, { ...range, within }));
    return outer === undefined ? [] : [{ ...outer, within }];
  });
}

function contains(range: TimeseriesRange, ref: TimeseriesValueRef): boolean {
  return covers(range, toRange(ref));
}

function toRange({ urn, aspectName, timestampMs }: TimeseriesValueRef): TimeseriesRange {
  return { urn, aspectName, within: { startMs: timestampMs, endMs: timestampMs } };
}

function covers(outer: TimeseriesRange, { urn, aspectName, within }: TimeseriesRange): boolean {
  return (
    outer.urn === urn &&
    isOfAspect(outer, aspectName) &&
    isWithin(outer.within, within.startMs ?? -Infinity) &&
    isWithin(outer.within, within.endMs ?? Infinity)
  );
}

function isOfAspect(range: TimeseriesRange, aspectName: string | undefined): boolean {
  return range.aspectName === undefined || range.aspectName === aspectName;
}
