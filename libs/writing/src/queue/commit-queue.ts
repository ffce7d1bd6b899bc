import { setImmediate, setTimeout } from 'node:timers/promises';
import {
  OffsetConflictError,
  ThrottledError,
  UnavailableError,
  type ProposalEntry,
  type WriteOutcome,
} from '@stratalog/domain';
import { GrowingDelay, actForProcess, handledPart } from '@stratalog/concurrency';
import type {
  Batch,
  BatchHandler,
  SubscriptionStatus,
  LoggedPosition,
  PartitionProgress,
  ProposalTable,
} from '@stratalog/ports';
import { CommitLinger } from './commit-linger';
import { hasRows, numberUnlogged } from './number-unlogged';
import {
  PartitionGroups,
  countCharacters,
  countWaiting,
  forgetOffsets,
  takeWaiting,
  type PartitionGroup,
  type WaitingProposal,
} from './partition-group';
import { splitBehind, splitByWay } from './split-waiting';

/** Maximum characters of values per commit; further proposals wait for the next one. It bounds the size of a commit. */
const MAX_BATCH_CHARACTERS = 8 * 1024 * 1024;
/** Maximum characters that may wait in memory for a commit. Beyond it, the queue rejects with `ThrottledError`. */
const MAX_WAITING_CHARACTERS = 64 * 1024 * 1024;
/**
 * Number of groups of partitions. While the server commits for one, this process reads and validates the requests of the
 * other. More groups only make the commits smaller.
 */
const GROUPS = 2;
/** Number of proposals from which on each group has commits of its own. */
const CROWDED = 16;
const LINGER = { maxLingerMs: 10, enoughProposals: CROWDED };
const RETRY_DELAY_MS = 250;
/**
 * Maximum number of consecutive offset conflicts. Another writer may move the log repeatedly when it is busy; more in a
 * row indicate a fault.
 */
const MAX_CONFLICTS = 100;
/**
 * Maximum number of rows per read of a partition whose last delivery left some. They take several commits, and each would
 * read and check all of them again.
 */
const MAX_ROWS_PER_TURN = 4;
/** Maximum random pause after a conflict. Two writers that retried at once would keep colliding. */
const CONFLICT_PAUSE_MS = 10;

/**
 * Logs and applies the proposals of the embedded log. One loop does all the work, so that nothing here needs a lock of its
 * own:
 *
 * - Proposals wait in memory while a commit runs; all that arrive during it share the next one. {@link CommitLinger} decides
 *   whether that one waits for more.
 * - The partitions form two groups. Few proposals share one commit. While many wait, each group has commits of its own, and
 *   two run at a time.
 * - If a caller waits for the outcome and no unapplied row names its urn, the queue delivers the proposal directly.
 *   The store's commit counts it as logged and applied in one transaction, and it never becomes a row.
 * - Otherwise the proposal becomes a row. It is durable before the caller gets an answer, and is delivered from the
 *   table in log order.
 * - The handler may leave a part of a delivery. The queue delivers it again, and other proposals in between.
 */
export class CommitQueue {
  private readonly groups = new PartitionGroups(GROUPS);
  private readonly linger = new CommitLinger(LINGER);
  private handler: BatchHandler<ProposalEntry, WriteOutcome> | undefined;
  private running: Promise<void> | undefined;
  private retryTimer: NodeJS.Timeout | undefined;
  private readonly retryDelay = new GrowingDelay(RETRY_DELAY_MS);
  private current: SubscriptionStatus = { state: 'stopped' };
  private conflicts = 0;
  private waitingCharacters = 0;

  constructor(
    private readonly table: ProposalTable,
    private readonly maxRecords: number,
  ) {}

  /** Logs a proposal as a row; resolves with its position when it is durable. */
  append(proposal: ProposalEntry, partition: number): Promise<LoggedPosition> {
    return new Promise((onLogged, fail) => {
      this.enqueue({ proposal, partition, onLogged, fail });
    });
  }

  /** Applies a proposal without a row and resolves with its outcome; logs it if that is not possible now. */
  commit(proposal: ProposalEntry, partition: number): Promise<LoggedPosition | WriteOutcome> {
    return new Promise((settle, fail) => {
      this.enqueue({ proposal, partition, onApplied: settle, onLogged: settle, fail });
    });
  }

  start(handler: BatchHandler<ProposalEntry, WriteOutcome>): void {
    forgetOffsets(this.groups.all);
    this.handler = handler;
    this.current = { state: 'running' };
    this.work();
  }

  async stop(): Promise<void> {
    this.handler = undefined;
    clearTimeout(this.retryTimer);
    this.retryTimer = undefined;
    this.current = { state: 'stopped' };
    await this.running;
  }

  status(): SubscriptionStatus {
    return this.current;
  }

  private enqueue(item: WaitingProposal): void {
    if (this.waitingCharacters > MAX_WAITING_CHARACTERS) {
      item.fail(new ThrottledError('Too many proposals wait to be logged; this one was not taken'));
      return;
    }
    this.groups.of(item.partition).waiting.push(item);
    this.waitingCharacters += countCharacters(item.proposal);
    this.linger.proposalAdded();
    this.work();
  }

  private work(): void {
    // The loop outlives the caller that starts it, because its commits serve all callers.
    this.running ??= actForProcess(() => this.loop());
  }

  private async loop(): Promise<void> {
    const { all } = this.groups;
    // One turn of the event loop lets requests that arrived together share the first commit.
    await setImmediate();
    while (countWaiting(all) > 0 || this.canDrain(all)) {
      if (countWaiting(all) > 0) await this.linger.turn(() => countWaiting(all));
      if (this.countWork(all) < CROWDED) await this.step(all);
      else await this.workByGroup();
    }
    // No await lies between the last check and this line, so no proposal can be appended unnoticed.
    this.running = undefined;
  }

  /** Works for each group alone, until one has nothing to do: that one must not wait for the others when it has again. */
  private async workByGroup(): Promise<void> {
    let isOver = false;
    const work = async (group: PartitionGroup): Promise<void> => {
      do await this.step([group]);
      while (!isOver && this.countWork([group]) > 0);
      isOver = true;
    };
    await Promise.all(this.groups.all.map(work));
  }

  private async step(groups: readonly PartitionGroup[]): Promise<void> {
    if (countWaiting(groups) > 0) {
      const items = this.take(groups);
      await this.flush(groups, items);
      this.linger.committed(items.length, countWaiting(this.groups.all));
    }
    if (this.canDrain(groups)) await this.drain(groups);
  }

  private canDrain(groups: readonly PartitionGroup[]): boolean {
    if (this.handler === undefined || this.retryTimer !== undefined) return false;
    return groups.some(({ offsets }) => offsets === undefined || hasRows(offsets));
  }

  /** Counts the proposals that wait for a commit or as rows. */
  private countWork(groups: readonly PartitionGroup[]): number {
    const rows = this.canDrain(groups) ? groups.reduce((sum, group) => sum + group.rows, 0) : 0;
    return countWaiting(groups) + rows;
  }

  private take(groups: readonly PartitionGroup[]): WaitingProposal[] {
    const limits = { maxRecords: this.maxRecords, maxCharacters: MAX_BATCH_CHARACTERS };
    const taken = takeWaiting(groups, limits);
    for (const { proposal } of taken) this.waitingCharacters -= countCharacters(proposal);
    return taken;
  }

  private putBack(items: readonly WaitingProposal[]): void {
    for (const item of [...items].reverse()) {
      this.groups.of(item.partition).waiting.unshift(item);
      this.waitingCharacters += countCharacters(item.proposal);
    }
  }

  private async flush(groups: readonly PartitionGroup[], items: readonly WaitingProposal[]): Promise<void> {
    try {
      const offsetsByPartition = await this.groups.readOffsets(groups, this.table);
      const hasHandler = this.handler !== undefined;
      const { direct, stored } = splitByWay(items, { hasHandler, groups: this.groups });
      const left = direct.length === 0 ? [] : await this.deliver(groups, direct, offsetsByPartition);
      if (left === 'conflict') {
        this.putBack(items);
        if (this.conflicts > 1) await setTimeout(Math.random() * CONFLICT_PAUSE_MS);
        return;
      }
      const { behind, free } = splitBehind(stored, left);
      this.putBack([...left, ...behind]);
      if (free.length > 0) await this.insert(free);
      this.enter({ state: 'running' });
    } catch (error) {
      // The failed commit may have succeeded; the next read of the offsets shows it.
      forgetOffsets(groups);
      this.enter({ state: 'retrying', reason: describeError(error) });
      const waiting = new Set(groups.flatMap((group) => group.waiting));
      for (const item of items) if (!waiting.has(item)) item.fail(error);
    }
  }

  /** A stopped queue stays stopped, whatever the result of its last work. */
  private enter(status: SubscriptionStatus): void {
    if (this.handler !== undefined) this.current = status;
  }

  private async insert(items: readonly WaitingProposal[]): Promise<void> {
    const positions = await this.table.insert(items);
    items.forEach((item, at) => {
      const position = positions[at];
      if (position === undefined) return;
      this.groups.logged(position, item.proposal);
      item.onLogged(position);
    });
  }

  /** Delivers proposals that have no row to the handler; returns those that it left, and `conflict` when the log has moved. */
  private async deliver(
    groups: readonly PartitionGroup[],
    items: readonly WaitingProposal[],
    offsetsByPartition: ReadonlyMap<number, PartitionProgress>,
  ): Promise<readonly WaitingProposal[] | 'conflict'> {
    if (this.handler === undefined) return 'conflict';
    const batch = numberUnlogged(items, offsetsByPartition);
    const verdict = await this.handler(batch);
    if (verdict.kind === 'retry') {
      forgetOffsets(groups);
      const isConflict = verdict.cause instanceof OffsetConflictError;
      if (isConflict && ++this.conflicts <= MAX_CONFLICTS) return 'conflict';
      this.conflicts = 0;
      throw new UnavailableError('The proposal could not be applied now', { cause: verdict.cause });
    }
    this.conflicts = 0;
    const { results, rest } = verdict;
    this.settle(batch, rest);
    const left = new Set<unknown>(rest?.records);
    const outcomes = results.values();
    return items.filter((item, at) => {
      if (left.has(batch.records[at])) return true;
      const { value: outcome } = outcomes.next();
      if (outcome !== undefined) item.onApplied?.(outcome);
      return false;
    });
  }

  private settle(batch: Batch<ProposalEntry>, rest: Batch<ProposalEntry> | undefined): void {
    const handled = handledPart(batch, rest);
    this.groups.applied(handled.ranges);
    this.groups.endTurn(batch, handled, rest);
  }

  /**
   * Applies rows. After a failure it first reads the offsets again, because a commit with a lost answer has moved the
   * log.
   */
  private async drain(groups: readonly PartitionGroup[]): Promise<void> {
    const { handler } = this;
    if (handler === undefined) return;
    try {
      const offsetsByPartition = await this.groups.readOffsets(groups, this.table);
      if (hasRows(offsetsByPartition)) await this.applyRows(handler, offsetsByPartition);
      this.retryDelay.succeeded();
      this.enter({ state: 'running' });
    } catch (error) {
      forgetOffsets(groups);
      this.enter({ state: 'retrying', reason: describeError(error) });
      if ((this.handler as unknown) === undefined) return;
      clearTimeout(this.retryTimer);
      this.retryTimer = globalThis.setTimeout(() => {
        this.retryTimer = undefined;
        this.work();
      }, this.retryDelay.failed());
    }
  }

  private async applyRows(
    handler: BatchHandler<ProposalEntry, WriteOutcome>,
    offsetsByPartition: ReadonlyMap<number, PartitionProgress>,
  ): Promise<void> {
    const batch = await this.table.read(offsetsByPartition, (partition) =>
      this.groups.takesTurns(partition) ? MAX_ROWS_PER_TURN : this.maxRecords,
    );
    this.groups.seen(batch);
    const verdict = await handler(batch);
    if (verdict.kind === 'retry') throw verdict.cause;
    this.settle(batch, verdict.rest);
  }
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
