import type { ProposalEntry } from '@stratalog/model';
import {
  OutcomeWait,
  type LogPosition,
  type OutcomeWaitOptions,
  type ProposalSubmitter,
  type SubmitOutcome,
} from '@stratalog/ports';
import type { PostgresProposalLog } from './proposal-log';

/**
 * Submits entries to the commit queues of the embedded log. An entry that goes through the table leaves its outcome in
 * the store, because any process may apply it.
 */
export class PostgresProposalSubmitter implements ProposalSubmitter {
  private readonly wait: OutcomeWait;

  constructor(
    private readonly log: PostgresProposalLog,
    options: OutcomeWaitOptions,
  ) {
    this.wait = new OutcomeWait(options);
  }

  submitAndWait(entry: ProposalEntry): Promise<SubmitOutcome> {
    return this.wait.untilApplied(entry, this.log.commit(entry));
  }

  submit(entries: readonly ProposalEntry[]): Promise<readonly LogPosition[]> {
    return this.wait.untilTaken(this.log.append(entries));
  }
}
