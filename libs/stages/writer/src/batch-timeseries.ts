import { aspectKey, isWithin, timeseriesValueId, timeRange } from '@stratalog/model';
import type {
  NewTimeseriesValue,
  TimeseriesDeletion,
  TimeseriesValueRef,
  TimeseriesRange,
  StoredTimeseriesValue,
  WriteSnapshot,
} from '@stratalog/ports';

/** All points of an entity. */
export function readAllTimeseries(urn: string): TimeseriesRange {
  return { urn, within: {} };
}

/** The points of the store as the records of a batch have changed them so far. */
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

  /** Where points are, as far as the batch names stretches, and the moments of its own. */
  get nonEmptyRanges(): readonly TimeseriesRange[] {
    const left = this.snapshot.nonEmptyRanges.filter(
      (span) => !this.removed.some((gone) => covers(gone, span)),
    );
    return [...left, ...this.written.map(momentOf)];
  }

  /**
   * Whether nothing lies in a span that the batch names. Of one about all aspects it may say no where earlier records of the batch took
   * the last points.
   */
  isEmpty(span: TimeseriesRange): boolean {
    return !this.nonEmptyRanges.some((filled) => covers(span, filled));
  }

  /** Those that the batch itself has written are never stored; the deletion counts the ones that replaced none. */
  remove(deletion: TimeseriesDeletion): void {
    let { unstored } = deletion;
    for (const [id, timeseriesValue] of this.own) {
      if (!holds(deletion, timeseriesValue)) continue;
      this.own.delete(id);
      if (this.stored(timeseriesValue) === undefined) unstored++;
    }
    this.removed.push({ ...deletion, unstored });
  }

  /** Takes over what was changed in a branch. */
  adopt(branch: BatchTimeseries): void {
    for (const deletion of branch.removed) this.remove(deletion);
    for (const timeseriesValue of branch.written) this.write(timeseriesValue);
  }

  /** A point of the store that is still there. */
  private stored(ref: TimeseriesValueRef): StoredTimeseriesValue | undefined {
    return this.removed.some((span) => holds(span, ref)) ? undefined : this.snapshot.timeseriesValue(ref);
  }
}

/**
 * Spans cut wherever another of the same aspect begins or ends: each piece lies in any of them as a whole or not at all. So whether a
 * stretch has points can still be told after a part of it was taken away.
 */
export function splitPieces(spans: readonly TimeseriesRange[]): readonly TimeseriesRange[] {
  const series = new Map<string, TimeseriesRange[]>();
  for (const span of spans) {
    const { urn, aspectName = '' } = span;
    const key = aspectKey({ urn, aspectName });
    const known = series.get(key);
    if (known === undefined) series.set(key, [span]);
    else known.push(span);
  }
  return [...series.values()].flatMap(cut);
}

/** Those of one series. */
function cut(spans: readonly TimeseriesRange[]): readonly TimeseriesRange[] {
  const bounds = spans.flatMap(({ within: { startMs = -Infinity, endMs = Infinity } }) => [
    startMs,
    endMs + 1,
  ]);
  const starts = [...new Set(bounds)].sort((one, other) => one - other);
  return starts.flatMap((from, at) => {
    const to = (starts[at + 1] ?? Infinity) - 1;
    const within = timeRange(from === -Infinity ? null : from, to === Infinity ? null : to);
    const outer = spans.find((span) => from < Infinity && covers(span, { ...span, within }));
    return outer === undefined ? [] : [{ ...outer, within }];
  });
}

function holds(span: TimeseriesRange, ref: TimeseriesValueRef): boolean {
  return covers(span, momentOf(ref));
}

function momentOf({ urn, aspectName, timestampMs }: TimeseriesValueRef): TimeseriesRange {
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

function isOfAspect(span: TimeseriesRange, aspectName: string | undefined): boolean {
  return span.aspectName === undefined || span.aspectName === aspectName;
}
