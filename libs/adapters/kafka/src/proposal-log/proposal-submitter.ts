import type { ProposalEntry } from '@stratalog/model';
import {
  OutcomeWait,
  type LogPosition,
  type OutcomeWaitOptions,
  type ProposalSubmitter,
  type SubmitOutcome,
} from '@stratalog/ports';
import type { KafkaProposalLog } from './proposal-log';

/** Produces entries to the topic. A writer in any process applies them, so the outcome is read from the store. */
export class KafkaProposalSubmitter implements ProposalSubmitter {
  private readonly wait: OutcomeWait;

  constructor(
    private readonly log: KafkaProposalLog,
    options: OutcomeWaitOptions,
  ) {
    this.wait = new OutcomeWait(options);
  }

  submitAndWait(entry: ProposalEntry): Promise<SubmitOutcome> {
    return this.wait.untilApplied(entry, this.log.appendOne(entry));
  }

  submit(entries: readonly ProposalEntry[]): Promise<readonly LogPosition[]> {
    return this.wait.untilTaken(this.log.append(entries));
  }
}
