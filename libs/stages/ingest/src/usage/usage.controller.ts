import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  actorOf,
  collectUnknownNames,
  setPosition,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { inSlices } from '@stratalog/concurrency';
import { authorizeWrites } from '../policies/authorize-writes';
import { createProposer } from '../proposals/create-caller';
import { ingestProposalBatch } from '../proposals/ingest-proposal-batch';
import { parseProposals } from '../proposals/parse-proposal';
import { toUsageProposals } from './to-usage-proposals';
import { INGEST_USAGE } from './usage.routes';

/** Writes the usage of datasets in the form of older clients. */
@Controller()
export class UsageIngestController {
  @Inject(authorizeWrites) private readonly authorizeWrites!: UseCase<typeof authorizeWrites>;
  @Inject(createProposer) private readonly createProposer!: UseCase<typeof createProposer>;
  @Inject(ingestProposalBatch) private readonly ingestProposalBatch!: UseCase<typeof ingestProposalBatch>;

  @Route(INGEST_USAGE)
  async ingestUsage(
    @Parameters() { buckets }: Input<typeof INGEST_USAGE>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<void> {
    const elements = await inSlices(toUsageProposals(buckets));
    const proposer = this.createProposer(actorOf(request));
    const proposals = await inSlices(parseProposals(elements, proposer, () => undefined));
    await this.authorizeWrites(request, proposals);
    collectUnknownNames(request).settle();
    const position = await this.ingestProposalBatch(proposals, { isAsync: false });
    if (position !== undefined) setPosition(reply, position);
  }
}
