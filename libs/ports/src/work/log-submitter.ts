import type { ProposalEntry, WriteOutcome } from '@stratalog/model';
import type { LogPosition, ProposalLog } from '../logs/proposal-log';
import type { ProposalSubmitter, SubmitOutcome } from '../logs/proposal-submitter';
import { OutcomeWait, type OutcomeWaitOptions } from './outcome-wait';

/** What an adapter's log offers to the submitter. */
export interface SubmittingLog extends Pick<ProposalLog, 'append'> {
  /**
   * Appends an entry whose outcome is awaited. A log that can apply it at once resolves with the outcome; else any
   * process may apply it, and the outcome is read from the store.
   *
   * **Errors**: those of `append`.
   */
  appendAwaited(entry: ProposalEntry): Promise<LogPosition | WriteOutcome>;
}

/** Submits entries to a log and waits for what becomes of them. */
export class LogSubmitter implements ProposalSubmitter {
  private readonly wait: OutcomeWait;

  constructor(
    private readonly log: SubmittingLog,
    options: OutcomeWaitOptions,
  ) {
    this.wait = new OutcomeWait(options);
  }

  submitAndWait(entry: ProposalEntry): Promise<SubmitOutcome> {
    return this.wait.untilApplied(entry, this.log.appendAwaited(entry));
  }

  submit(entries: readonly ProposalEntry[]): Promise<readonly LogPosition[]> {
    return this.wait.untilTaken(this.log.append(entries));
  }
}
