import { maxOffsets, type Position } from '@stratalog/domain';
import { setIndexPosition, setPosition, type WireReply } from '@stratalog/http';

/** The position of an answer that several queries make: the answer reflects no more than each of them does. That of a write comes first. */
export class ReachedPosition {
  private lowest: Position | undefined;
  private greatestLag = 0;
  private written: Position | undefined;

  constructor(private readonly reply: WireReply) {}

  /** Tells the position that one query reflects. */
  reads(at: Position, lag: number): void {
    this.lowest = this.lowest === undefined ? at : lower(this.lowest, at);
    this.greatestLag = Math.max(this.greatestLag, lag);
    setIndexPosition(this.reply, this.written ?? this.lowest, this.greatestLag);
  }

  /** Tells the position of a write, for which a later search can wait; that of several has all. */
  wrote(at: Position): void {
    const { seqs = new Map<number, number>() } = this.written ?? {};
    this.written = { ...at, seqs: maxOffsets(seqs, at.seqs) };
    setPosition(this.reply, this.written);
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
