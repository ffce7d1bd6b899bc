import {
  UnavailableError,
  partitionOf,
  proposalsIn,
  type ProposalEntry,
  type WriteOutcome,
} from '@stratalog/domain';
import { BatchedPoller } from '@stratalog/concurrency';
import type {
  AspectStore,
  AwaitedPosition,
  LogPosition,
  LoggedOutcome,
  LoggedPosition,
  LoggedProposal,
  ProposalSubmitter,
  SubmitOutcome,
  SubmittingLog,
} from '@stratalog/ports';
import { PatchBacklog } from './patch-backlog';

interface LogSubmitterOptions {
  readonly store: Pick<AspectStore, 'identity' | 'readOutcomes' | 'readSizes'>;
  /** Longest wait for the log and the outcome together, from the submission on. */
  readonly commitTimeoutMs: number;
}

type SettledOutcome = Exclude<LoggedOutcome, { kind: 'pending' }>;

const POLL_DELAY_MS = 5;
/** Retry after a failed query; callers keep waiting until their own timeout. **Units**: milliseconds. */
const RETRY_DELAY_MS = 250;

/** Submits entries to a log and waits for their outcomes. All waiting callers share one query of the store. */
export class LogSubmitter implements ProposalSubmitter {
  private readonly poller: BatchedPoller<LoggedProposal, SettledOutcome>;
  private readonly backlog: PatchBacklog;

  constructor(
    private readonly log: SubmittingLog,
    private readonly options: LogSubmitterOptions,
  ) {
    this.poller = new BatchedPoller({
      poll: async (proposals) => {
        const outcomes = await options.store.readOutcomes(proposals);
        return outcomes.map((outcome) => (outcome.kind === 'pending' ? undefined : outcome));
      },
      delayMs: POLL_DELAY_MS,
      retryDelayMs: RETRY_DELAY_MS,
    });
    this.backlog = new PatchBacklog({
      readSizes: (refs) => options.store.readSizes(refs),
      progress: () => log.progress(),
      maxBytes: log.maxPatchedBytes,
    });
  }

  async submitAndWait(entry: ProposalEntry): Promise<SubmitOutcome> {
    const end = performance.now() + this.options.commitTimeoutMs;
    const admission = this.backlog.add([entry]);
    if (admission !== undefined) await admission;
    const result = await this.withinTimeout(this.appendAwaited(entry));
    if (!('kind' in result)) return this.poll(entry, result, Math.max(0, end - performance.now()));
    if (result.kind === 'rejected' || result.kind === 'failed') return result;
    const applied = result.kind === 'batch' ? result.outcomes : [result];
    return this.toApplied(applied.map(({ partition, seq }) => [partition, seq]));
  }

  async submit(entries: readonly ProposalEntry[]): Promise<readonly LoggedPosition[]> {
    const admission = this.backlog.add(entries);
    if (admission !== undefined) await admission;
    return this.withinTimeout(this.append(entries));
  }

  /** Appends, and tells the backlog when the entry no longer waits, even after the caller's timeout. */
  private async appendAwaited(entry: ProposalEntry): Promise<AwaitedPosition | WriteOutcome> {
    try {
      const result = await this.log.appendAwaited(entry);
      if ('kind' in result) this.backlog.remove(entry);
      else this.backlog.removeApplied(entry, result);
      return result;
    } catch (error) {
      this.backlog.remove(entry);
      throw error;
    }
  }

  private async append(entries: readonly ProposalEntry[]): Promise<readonly LoggedPosition[]> {
    try {
      const positions = await this.log.append(entries);
      entries.forEach((entry, at) => {
        const position = positions[at];
        if (position === undefined) this.backlog.remove(entry);
        else this.backlog.removeApplied(entry, position);
      });
      return positions;
    } catch (error) {
      for (const entry of entries) this.backlog.remove(entry);
      throw error;
    }
  }

  /**
   * Bounds the wait for a log that hangs.
   *
   * **Errors**: those of `work`. `UnavailableError` after the commit timeout. The outcome is then unknown, so the
   * message asks to repeat the proposal.
   */
  private async withinTimeout<T>(work: Promise<T>): Promise<T> {
    const { commitTimeoutMs } = this.options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(noAnswer(commitTimeoutMs));
      }, commitTimeoutMs);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Polls the store until it has applied the log up to the entry.
   *
   * **Errors**: `UnavailableError` after `leftMs`; the entry stays in the log and is applied later. Also when the log moved, or is stopped
   * before the entry.
   */
  private async poll(
    entry: ProposalEntry,
    { confirm, ...position }: AwaitedPosition,
    leftMs: number,
  ): Promise<SubmitOutcome> {
    const { partitions } = this.options.store.identity;
    const urns = [...new Set(proposalsIn(entry).map(({ urn }) => urn))];
    const settled = await Promise.all(
      urns.map((urn) => this.poller.waitFor({ position, urn }, leftMs, () => notYet(position, leftMs))),
    );
    const seqs: (readonly [partition: number, seq: number])[] = [];
    await confirm?.();
    for (const [at, outcome] of settled.entries()) {
      if (outcome.kind === 'stopped') throw new UnavailableError(outcome.reason);
      if (outcome.kind === 'rejected') return outcome;
      seqs.push([partitionOf(urns[at] ?? '', partitions), outcome.seq]);
    }
    return this.toApplied(seqs);
  }

  /** Builds the outcome with the highest `seq` of each partition. */
  private toApplied(seqs: readonly (readonly [partition: number, seq: number])[]): SubmitOutcome {
    const { storeId, epoch } = this.options.store.identity;
    const highest = new Map<number, number>();
    for (const [partition, seq] of seqs) highest.set(partition, Math.max(seq, highest.get(partition) ?? 0));
    const position = { storeId, epoch, seqs: highest };
    return { kind: 'applied', position };
  }
}

function noAnswer(timeoutMs: number): UnavailableError {
  return new UnavailableError(
    `The store did not answer within ${String(timeoutMs)} ms; the proposal may be applied yet, repeat it to be sure`,
  );
}

function notYet({ partition, offset }: LogPosition, timeoutMs: number): UnavailableError {
  return new UnavailableError(
    `The proposal is in the log (partition ${String(partition)}, offset ${String(offset)}) and will be applied, ` +
      `but was not within ${String(Math.round(timeoutMs))} ms`,
    { details: { partition, offset } },
  );
}
