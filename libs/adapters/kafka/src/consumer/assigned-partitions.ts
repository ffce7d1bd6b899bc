/**
 * The read state of a partition that is assigned to this process. Without `cursor` it is not read: its position is
 * being located, or it is stopped.
 */
export interface Assigned {
  /** Id of the topic in which the position was found. */
  topicId: string | undefined;
  cursor: number | undefined;
  stoppedBecause: string | undefined;
}

/**
 * Tracks the partitions that the group assigned to a reader, and the read position of each.
 *
 * A partition that is located again gets a new object, which invalidates work for the old one.
 */
export class AssignedPartitions {
  private readonly byNumber = new Map<number, Assigned>();

  /** `revoke` is called whenever the records read from a partition must be dropped. */
  constructor(private readonly revoke: (partition: number) => void) {}

  /** Replaces the assignment: these partitions and no others. */
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

  /** Starts to locate a partition, possibly again. Until it has a position, the reason of a former stop remains. */
  startLocating(partition: number): Assigned {
    this.revoke(partition);
    const { stoppedBecause } = this.byNumber.get(partition) ?? {};
    const own: Assigned = { topicId: undefined, cursor: undefined, stoppedBecause };
    this.byNumber.set(partition, own);
    return own;
  }

  /** Returns false when the partition is not assigned to this process. */
  stop(partition: number, reason: string): boolean {
    const own = this.byNumber.get(partition);
    if (own === undefined) return false;
    own.cursor = undefined;
    own.stoppedBecause = reason;
    this.revoke(partition);
    return true;
  }

  /** Stopped partitions with their reasons. */
  get stopped(): readonly (readonly [partition: number, reason: string])[] {
    return [...this].flatMap(([partition, { stoppedBecause }]) =>
      stoppedBecause === undefined ? [] : [[partition, stoppedBecause] as const],
    );
  }
}
