import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { ConsumesProposals } from '@stratalog/log-transport';
import type { ProposalEntry, WriteOutcome } from '@stratalog/domain';
import type { Batch, Verdict } from '@stratalog/ports';
import { proposalHandler } from './proposal-handler';

/** Consumes the proposal log. */
@Controller()
export class WriterController {
  @Inject(proposalHandler) private readonly proposalHandler!: ReturnType<typeof proposalHandler>;

  @ConsumesProposals('writer')
  apply(@Payload() batch: Batch<ProposalEntry>): Promise<Verdict<WriteOutcome, ProposalEntry>> {
    return this.proposalHandler(batch);
  }
}
