import { isWithin, pointId } from '@stratalog/model';
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

  constructor(private readonly snapshot: Pick<WriteSnapshot, 'point' | 'holdsPoints'>) {}

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

  /** Whether anything lies in a span that the batch has asked for. */
  isEmpty(span: PointSpan): boolean {
    if (this.written.some((point) => holds(span, point))) return false;
    return this.removed.some((gone) => covers(gone, span)) || !this.snapshot.holdsPoints(span);
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

function holds(span: PointSpan, { urn, aspectName, timestampMs }: PointRef): boolean {
  return span.urn === urn && isOfAspect(span, aspectName) && isWithin(span.within, timestampMs);
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
