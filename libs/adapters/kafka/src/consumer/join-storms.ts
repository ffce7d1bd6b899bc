/** More joins in one second are a storm. */
const MAX_JOINS = 5;
const STORM_MS = 1_000;

/**
 * Notices that a group is joined again and again: kafkajs does so at once, many times a second, when a fetch fails for a leader that has
 * moved, and each time the partitions are divided anew for everybody. One goes with a reader through all its consumers, so that a
 * successor does not begin the next storm before the first is over.
 */
export class JoinStorms {
  private joins: readonly number[] = [];

  /** Counts a join. True: it is one too many. */
  joined(nowMs: number): boolean {
    this.joins = [...this.joins.filter((at) => nowMs - at < STORM_MS), nowMs];
    return this.joins.length > MAX_JOINS;
  }
}
