/** A partition that is ours. Without `cursor` it is not read: it is being located, or was stopped. */
export interface Assigned {
  /** The topic that the place was found in. */
  topicId: string | undefined;
  cursor: number | undefined;
  stoppedBecause: string | undefined;
}

/** The partitions that the group has given to a reader, and how far it is with each. One that is located anew begins as another object. */
export class AssignedPartitions {
  private readonly byNumber = new Map<number, Assigned>();

  /** `revoke` is told each time that what was read of a partition is to be dropped. */
  constructor(private readonly revoke: (partition: number) => void) {}

  /** From now on these are ours, and no others. */
  assign(partitions: readonly number[]): void {
    for (const partition of this.byNumber.keys()) this.revoke(partition);
    this.byNumber.clear();
    for (const partition of partitions) {
      this.byNumber.set(partition, { topicId: undefined, cursor: undefined, stoppedBecause: undefined });
    }
  }

  get(partition: number): Assigned | undefined {
    return this.byNumber.get(partition);
  }

  [Symbol.iterator](): IterableIterator<[number, Assigned]> {
    return this.byNumber.entries();
  }

  /** It is being located, be it anew: until it is placed, the reason of a former stop remains. */
  unplace(partition: number): Assigned {
    this.revoke(partition);
    const { stoppedBecause } = this.byNumber.get(partition) ?? {};
    const own: Assigned = { topicId: undefined, cursor: undefined, stoppedBecause };
    this.byNumber.set(partition, own);
    return own;
  }

  /** False when it is not ours. */
  stop(partition: number, reason: string): boolean {
    const own = this.byNumber.get(partition);
    if (own === undefined) return false;
    own.cursor = undefined;
    own.stoppedBecause = reason;
    this.revoke(partition);
    return true;
  }

  /** Those that are read now. */
  get placed(): readonly number[] {
    return [...this].flatMap(([partition, { cursor }]) => (cursor === undefined ? [] : [partition]));
  }

  /** Those that were stopped, and why. */
  get stopped(): readonly (readonly [partition: number, reason: string])[] {
    return [...this].flatMap(([partition, { stoppedBecause }]) =>
      stoppedBecause === undefined ? [] : [[partition, stoppedBecause] as const],
    );
  }
}
