import { setImmediate, setTimeout } from 'node:timers/promises';
import {
  OffsetConflictError,
  ThrottledError,
  UnavailableError,
  proposalsIn,
  type ProposalEntry,
  type WriteOutcome,
} from '@stratalog/model';
import {
  actForProcess,
  type BatchHandler,
  type SubscriptionStatus,
  type LogPosition,
  type LogRange,
} from '@stratalog/ports';
import { hasRows, numberUnlogged, type LogProgress, type LogTable, type UnloggedProposal } from './log-table';

/** Maximum characters of values per commit; further proposals wait for the next one. It bounds the size of a commit. */
const MAX_BATCH_CHARACTERS = 8 * 1024 * 1024;
/** Maximum characters that may wait in memory for a commit. Beyond it, the queue rejects with `ThrottledError`. */
const MAX_WAITING_CHARACTERS = 64 * 1024 * 1024;
const RETRY_DELAY_MS = 250;
/**
 * Maximum number of consecutive offset conflicts. Another writer may move the log repeatedly when it is busy; more in a
 * row indicate a fault.
 */
const MAX_CONFLICTS = 100;
/** Maximum random pause after a conflict. Two writers that retried at once would keep colliding. */
const CONFLICT_PAUSE_MS = 10;

interface Waiting extends UnloggedProposal {
  /** Called once the proposal is applied without a row. Absent when no caller waits for the outcome. */
  readonly onApplied?: (outcome: WriteOutcome) => void;
  /** Called once the proposal is a row. */
  readonly onLogged: (position: LogPosition) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Logs and applies the proposals of some partitions of the embedded log. One loop does all the work of a queue, so that
 * nothing here needs a lock of its own:
 *
 * - Proposals wait in memory while a commit runs; all that arrive during it share the next one.
 * - If a caller waits for the outcome and the partition has no unapplied row, the queue delivers the proposal directly.
 *   The store's commit counts it as logged and applied in one transaction, and it never becomes a row.
 * - Otherwise the proposal becomes a row. It is durable before the caller gets an answer, and is delivered from the
 *   table in log order. Later proposals of the partition become rows too, until the table is drained.
 */
export class CommitQueue {
  private readonly queue: Waiting[] = [];
  /**
   * The offsets as the loop last read or moved them. Undefined before the first read and after a failure. Only the loop
   * assigns them.
   */
  private offsetsByPartition: Map<number, LogProgress> | undefined;
  private handler: BatchHandler<ProposalEntry, WriteOutcome> | undefined;
  private running: Promise<void> | undefined;
  private retryTimer: NodeJS.Timeout | undefined;
  private current: SubscriptionStatus = { state: 'stopped' };
  private conflicts = 0;
  private waitingCharacters = 0;

  constructor(
    private readonly table: LogTable,
    private readonly partitions: ReadonlySet<number>,
    private readonly maxRecords: number,
  ) {}

  /** Logs a proposal as a row; resolves with its position when it is durable. */
  append(proposal: ProposalEntry, partition: number): Promise<LogPosition> {
    return new Promise((onLogged, fail) => {
      this.enqueue({ proposal, partition, onLogged, fail });
    });
  }

  /** Applies a proposal without a row and resolves with its outcome; logs it if that is not possible now. */
  commit(proposal: ProposalEntry, partition: number): Promise<LogPosition | WriteOutcome> {
    return new Promise((settle, fail) => {
      this.enqueue({ proposal, partition, onApplied: settle, onLogged: settle, fail });
    });
  }

  start(handler: BatchHandler<ProposalEntry, WriteOutcome>): void {
    this.offsetsByPartition = undefined;
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

  private enqueue(item: Waiting): void {
    if (this.waitingCharacters > MAX_WAITING_CHARACTERS) {
      item.fail(new ThrottledError('Too many proposals wait to be logged; this one was not taken'));
      return;
    }
    this.queue.push(item);
    this.waitingCharacters += countCharacters(item.proposal);
    this.work();
  }

  private async readOffsets(): Promise<Map<number, LogProgress>> {
    const offsetsByPartition = await this.table.readOffsets();
    return new Map([...offsetsByPartition].filter(([partition]) => this.partitions.has(partition)));
  }

  private work(): void {
    // The loop outlives the caller that starts it, because its commits serve all callers.
    this.running ??= actForProcess(() => this.loop());
  }

  private async loop(): Promise<void> {
    // One turn of the event loop lets requests that arrived together share the first commit.
    await setImmediate();
    while (this.queue.length > 0 || this.canDrain()) {
      if (this.queue.length > 0) await this.flush(this.take());
      if (this.canDrain()) await this.drain();
    }
    // No await lies between the last check and this line, so no proposal can be appended unnoticed.
    this.running = undefined;
  }

  private canDrain(): boolean {
    if (this.handler === undefined || this.retryTimer !== undefined) return false;
    return this.offsetsByPartition === undefined || hasRows(this.offsetsByPartition);
  }

  private take(): Waiting[] {
    let characters = 0;
    let count = 0;
    for (const { proposal } of this.queue) {
      characters += countCharacters(proposal);
      if (count > 0 && (count >= this.maxRecords || characters > MAX_BATCH_CHARACTERS)) break;
      count++;
    }
    const taken = this.queue.splice(0, count);
    for (const { proposal } of taken) this.waitingCharacters -= countCharacters(proposal);
    return taken;
  }

  private putBack(items: readonly Waiting[]): void {
    this.queue.unshift(...items);
    for (const { proposal } of items) this.waitingCharacters += countCharacters(proposal);
  }

  private async flush(items: readonly Waiting[]): Promise<void> {
    try {
      const offsetsByPartition = (this.offsetsByPartition ??= await this.readOffsets());
      const { direct, stored } = this.split(items, offsetsByPartition);
      // Within a partition, directly delivered proposals always precede those that become rows.
      if (direct.length > 0 && !(await this.deliver(direct, offsetsByPartition))) {
        this.putBack(items);
        if (this.conflicts > 1) await setTimeout(Math.random() * CONFLICT_PAUSE_MS);
        return;
      }
      if (stored.length > 0) await this.insert(stored, offsetsByPartition);
      this.enter({ state: 'running' });
    } catch (error) {
      // The failed commit may have succeeded; the next read of the offsets shows it.
      this.offsetsByPartition = undefined;
      this.enter({ state: 'retrying', reason: describeError(error) });
      for (const item of items) item.fail(error);
    }
  }

  /** A stopped queue stays stopped, whatever the result of its last work. */
  private enter(status: SubscriptionStatus): void {
    if (this.handler !== undefined) this.current = status;
  }

  private split(
    items: readonly Waiting[],
    offsetsByPartition: ReadonlyMap<number, LogProgress>,
  ): { readonly direct: readonly Waiting[]; readonly stored: readonly Waiting[] } {
    const behind = new Set(
      [...offsetsByPartition].flatMap(([partition, { head, applied }]) =>
        head > applied ? [partition] : [],
      ),
    );
    const direct: Waiting[] = [];
    const stored: Waiting[] = [];
    for (const item of items) {
      if (this.handler !== undefined && item.onApplied !== undefined && !behind.has(item.partition))
        direct.push(item);
      else {
        behind.add(item.partition);
        stored.push(item);
      }
    }
    return { direct, stored };
  }

  private async insert(
    items: readonly Waiting[],
    offsetsByPartition: Map<number, LogProgress>,
  ): Promise<void> {
    const positions = await this.table.insert(items.map((item) => item.proposal));
    items.forEach((item, at) => {
      const position = positions[at];
      if (position === undefined) return;
      offsetsByPartition.set(position.partition, {
        head: position.offset,
        applied: offsetsByPartition.get(position.partition)?.applied ?? 0,
      });
      item.onLogged(position);
    });
  }

  /** Delivers proposals that have no row to the handler. False when the log has moved and they must be split again. */
  private async deliver(
    items: readonly Waiting[],
    offsetsByPartition: Map<number, LogProgress>,
  ): Promise<boolean> {
    if (this.handler === undefined) return false;
    const batch = numberUnlogged(items, offsetsByPartition);
    const verdict = await this.handler(batch);
    if (verdict.kind === 'retry') {
      this.offsetsByPartition = undefined;
      if (verdict.cause instanceof OffsetConflictError && ++this.conflicts <= MAX_CONFLICTS) return false;
      this.conflicts = 0;
      throw new UnavailableError('The proposal could not be applied now', { cause: verdict.cause });
    }
    this.conflicts = 0;
    this.advance(batch.ranges);
    items.forEach((item, at) => {
      const outcome = verdict.results[at];
      if (outcome !== undefined) item.onApplied?.(outcome);
    });
    return true;
  }

  /**
   * Applies rows. After a failure it first reads the offsets again, because a commit with a lost answer has moved the
   * log.
   */
  private async drain(): Promise<void> {
    const { handler } = this;
    if (handler === undefined) return;
    try {
      const offsetsByPartition = (this.offsetsByPartition ??= await this.readOffsets());
      if (hasRows(offsetsByPartition)) await this.applyRows(handler, offsetsByPartition);
      this.enter({ state: 'running' });
    } catch (error) {
      this.offsetsByPartition = undefined;
      this.enter({ state: 'retrying', reason: describeError(error) });
      if ((this.handler as unknown) === undefined) return;
      this.retryTimer = globalThis.setTimeout(() => {
        this.retryTimer = undefined;
        this.work();
      }, RETRY_DELAY_MS);
    }
  }

  private async applyRows(
    handler: BatchHandler<ProposalEntry, WriteOutcome>,
    offsetsByPartition: ReadonlyMap<number, LogProgress>,
  ): Promise<void> {
    const batch = await this.table.read(offsetsByPartition, this.maxRecords);
    const verdict = await handler(batch);
    if (verdict.kind === 'retry') throw verdict.cause;
    this.advance(batch.ranges);
  }

  private advance(ranges: readonly LogRange[]): void {
    for (const { partition, to } of ranges) {
      const head = Math.max(to, this.offsetsByPartition?.get(partition)?.head ?? 0);
      this.offsetsByPartition?.set(partition, { head, applied: to });
    }
  }
}

function countCharacters(entry: ProposalEntry): number {
  return proposalsIn(entry).reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
