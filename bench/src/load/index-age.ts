/**
 * The age of the oldest acknowledged change that is not searchable yet, measured from outside by the
 * positions in the answers to writes and searches.
 */
export class IndexAge {
  private readonly unseen = new Map<number, { readonly seq: number; readonly atMs: number }[]>();

  /** Records an acknowledged write; `position` is its header. */
  acknowledged(position: string, atMs: number): void {
    for (const [partition, seq] of seqsOf(position)) {
      const known = this.unseen.get(partition);
      if (known === undefined) this.unseen.set(partition, [{ seq, atMs }]);
      else known.push({ seq, atMs });
    }
  }

  /**
   * Records a search that was answered from an index at `position`.
   *
   * **Units**: milliseconds; 0 when the index includes every write that was acknowledged before `askedMs`.
   */
  ageAt(position: string, askedMs: number): number {
    const reached = new Map(seqsOf(position));
    let age = 0;
    for (const [partition, writes] of this.unseen) {
      const seq = reached.get(partition) ?? 0;
      // Acknowledged almost in the order of `seq`: answers of one commit may overtake each other.
      const left = writes.filter((write) => write.seq > seq);
      this.unseen.set(partition, left);
      for (const write of left) age = Math.max(age, askedMs - write.atMs);
    }
    return age;
  }
}

function seqsOf(position: string): [number, number][] {
  const seqs = position.slice(position.lastIndexOf('.') + 1);
  if (seqs === '') return [];
  return seqs.split(',').map((pair) => {
    const [partition, seq] = pair.split(':');
    return [Number(partition), Number(seq)];
  });
}
