import type { Position } from '@stratalog/domain';
import { setIndexPosition, type WireReply } from '@stratalog/http';

/** The position of an answer that several queries make: the answer reflects no more than each of them does. */
export class ReachedPosition {
  private lowest: Position | undefined;
  private greatestLag = 0;

  constructor(private readonly reply: WireReply) {}

  /** Tells the position that one query reflects. */
  reads(at: Position, lag: number): void {
    this.lowest = this.lowest === undefined ? at : lower(this.lowest, at);
    this.greatestLag = Math.max(this.greatestLag, lag);
    setIndexPosition(this.reply, this.lowest, this.greatestLag);
  }
}

/** A partition that one of the two lacks has no number. */
function lower(one: Position, other: Position): Position {
  const seqs = [...one.seqs].flatMap(([partition, seq]) => {
    const same = other.seqs.get(partition);
    return same === undefined ? [] : [[partition, Math.min(seq, same)] as const];
  });
  return { ...one, seqs: new Map(seqs) };
}
