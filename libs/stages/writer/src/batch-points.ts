import { aspectKey, isWithin, pointId, timeRange } from '@stratalog/model';
import type {
  NewPoint,
  PointDeletion,
  PointRef,
  PointSpan,
  StoredPoint,
  WriteSnapshot,
} from '@stratalog/ports';

/** All points of an entity. */
export function allPointsOf(urn: string): PointSpan {
  return { urn, within: {} };
}

/** The points of the store as the records of a batch have changed them so far. */
export class BatchPoints {
  readonly removed: PointDeletion[] = [];
  private readonly own = new Map<string, NewPoint>();

  constructor(private readonly snapshot: Pick<WriteSnapshot, 'point' | 'filledSpans'>) {}

  get written(): readonly NewPoint[] {
    return [...this.own.values()];
  }

  at(ref: PointRef): StoredPoint | undefined {
    const own = this.own.get(pointId(ref));
    if (own !== undefined) return { seq: own.seq, isValue: (text) => text === own.value };
    return this.stored(ref);
  }

  write(point: NewPoint): void {
    this.own.set(pointId(point), point);
  }

  /** Where points are, as far as the batch names stretches, and the moments of its own. */
  get filledSpans(): readonly PointSpan[] {
    const left = this.snapshot.filledSpans.filter((span) => !this.removed.some((gone) => covers(gone, span)));
    return [...left, ...this.written.map(momentOf)];
  }

  /**
   * Whether nothing lies in a span that the batch names. Of one about all aspects it may say no where earlier records of the batch took
   * the last points.
   */
  isEmpty(span: PointSpan): boolean {
    return !this.filledSpans.some((filled) => covers(span, filled));
  }

  /** Those that the batch itself has written are never stored; the deletion counts the ones that replaced none. */
  remove(deletion: PointDeletion): void {
    let { unstored } = deletion;
    for (const [id, point] of this.own) {
      if (!holds(deletion, point)) continue;
      this.own.delete(id);
      if (this.stored(point) === undefined) unstored++;
    }
    this.removed.push({ ...deletion, unstored });
  }

  /** Takes over what was changed in a branch. */
  adopt(branch: BatchPoints): void {
    for (const deletion of branch.removed) this.remove(deletion);
    for (const point of branch.written) this.write(point);
  }

  /** A point of the store that is still there. */
  private stored(ref: PointRef): StoredPoint | undefined {
    return this.removed.some((span) => holds(span, ref)) ? undefined : this.snapshot.point(ref);
  }
}

/**
 * Spans cut wherever another of the same aspect begins or ends: each piece lies in any of them as a whole or not at all. So whether a
 * stretch has points can still be told after a part of it was taken away.
 */
export function piecesOf(spans: readonly PointSpan[]): readonly PointSpan[] {
  const series = new Map<string, PointSpan[]>();
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
function cut(spans: readonly PointSpan[]): readonly PointSpan[] {
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

function holds(span: PointSpan, ref: PointRef): boolean {
  return covers(span, momentOf(ref));
}

function momentOf({ urn, aspectName, timestampMs }: PointRef): PointSpan {
  return { urn, aspectName, within: { startMs: timestampMs, endMs: timestampMs } };
}

function covers(outer: PointSpan, { urn, aspectName, within }: PointSpan): boolean {
  return (
    outer.urn === urn &&
    isOfAspect(outer, aspectName) &&
    isWithin(outer.within, within.startMs ?? -Infinity) &&
    isWithin(outer.within, within.endMs ?? Infinity)
  );
}

function isOfAspect(span: PointSpan, aspectName: string | undefined): boolean {
  return span.aspectName === undefined || span.aspectName === aspectName;
}
