/** Maximum number of joins per second; more are a storm. */
const MAX_JOINS = 5;
const STORM_MS = 1_000;

/**
 * Detects that a member joins its group repeatedly.
 *
 * kafkajs joins again at once, many times a second, when a fetch fails for a leader that has moved. Each join
 * rebalances the whole group. One instance serves all consumers of a reader in turn, so that a successor does not start
 * the next storm before this one has ended.
 */
export class JoinStorms {
  private joins: readonly number[] = [];

  /** Counts a join; true when it makes a storm. */
  countJoin(nowMs: number): boolean {
    this.joins = [...this.joins.filter((at) => nowMs - at < STORM_MS), nowMs];
    return this.joins.length > MAX_JOINS;
  }
}
