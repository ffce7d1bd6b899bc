import {
  UnavailableError,
  partitionOf,
  proposalsIn,
  type PartitionSequences,
  type ProposalEntry,
  type WriteOutcome,
} from '@stratalog/model';
import type { LogPosition } from '../logs/proposal-log';
import type { SubmitOutcome } from '../logs/proposal-submitter';
import type { AspectStore } from '../stores/aspect-store';
import { OutcomePoller } from './outcome-poller';

export interface OutcomeWaitOptions {
  readonly store: Pick<AspectStore, 'identity' | 'readOutcomes'>;
  /** Longest wait for an outcome, from the submission on. */
  readonly commitTimeoutMs: number;
}

/** Waits for submitted entries within the commit timeout. */
export class OutcomeWait {
  private readonly poller: OutcomePoller;

  constructor(private readonly options: OutcomeWaitOptions) {
    this.poller = new OutcomePoller(options.store);
  }

  /**
   * Bounds the wait for a log that hangs.
   *
   * **Errors**: those of `work`. `UnavailableError` after the commit timeout. The outcome is then unknown, so the
   * message asks to repeat the proposal.
   */
  async untilTaken<T>(work: Promise<T>): Promise<T> {
    const { commitTimeoutMs } = this.options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(notTaken(commitTimeoutMs));
      }, commitTimeoutMs);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Resolves with the outcome of an entry. `taken` settles with the outcome itself, or with the position of the entry's
   * record; the rest of the time then goes to polling the store.
   *
   * **Errors**: those of `taken`. `UnavailableError` after the commit timeout.
   */
  async untilApplied(
    entry: ProposalEntry,
    taken: Promise<LogPosition | WriteOutcome>,
  ): Promise<SubmitOutcome> {
    const end = performance.now() + this.options.commitTimeoutMs;
    const result = await this.untilTaken(taken);
    if ('kind' in result) return this.toSubmitOutcome(result);
    return this.poll(entry, result, Math.max(0, end - performance.now()));
  }

  /** Polls the store until it has applied the log up to the entry. All urns share one query. */
  private async poll(entry: ProposalEntry, position: LogPosition, leftMs: number): Promise<SubmitOutcome> {
    const { partitions } = this.options.store.identity;
    const urns = [...new Set(proposalsIn(entry).map(({ urn }) => urn))];
    const settled = await Promise.all(urns.map((urn) => this.poller.of({ position, urn }, leftMs)));
    const seqs: (readonly [partition: number, seq: number])[] = [];
    for (const [at, outcome] of settled.entries()) {
      if (outcome.kind === 'rejected') return outcome;
      seqs.push([partitionOf(urns[at] ?? '', partitions), outcome.seq]);
    }
    return this.applied(highest(seqs));
  }

  private toSubmitOutcome(outcome: WriteOutcome): SubmitOutcome {
    switch (outcome.kind) {
      case 'rejected':
      case 'failed':
        return outcome;
      case 'batch':
        return this.applied(highest(outcome.outcomes.map(({ partition, seq }) => [partition, seq])));
      default:
        return this.applied(new Map([[outcome.partition, outcome.seq]]));
    }
  }

  private applied(seqs: PartitionSequences): SubmitOutcome {
    const { storeId, epoch } = this.options.store.identity;
    return { kind: 'applied', position: { storeId, epoch, seqs } };
  }
}

function highest(seqs: readonly (readonly [partition: number, seq: number])[]): PartitionSequences {
  const last = new Map<number, number>();
  for (const [partition, seq] of seqs) last.set(partition, Math.max(seq, last.get(partition) ?? 0));
  return last;
}

function notTaken(timeoutMs: number): UnavailableError {
  return new UnavailableError(
    `The store did not answer within ${String(timeoutMs)} ms; the proposal may be applied yet, repeat it to be sure`,
  );
}
