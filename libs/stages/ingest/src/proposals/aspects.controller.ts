import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  actorOf,
  setPosition,
  collectUnknownNames,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { inSlices } from '@stratalog/concurrency';
import { INGEST_PROPOSAL, INGEST_PROPOSAL_BATCH } from './aspects.routes';
import { authorizeWrites } from '../policies/authorize-writes';
import { createProposer } from './create-caller';
import { ingestProposal } from './ingest-proposal';
import { ingestProposalBatch } from './ingest-proposal-batch';
import { parseProposal, parseProposals } from './parse-proposal';
import { reportStrayConditions } from './report-stray-conditions';

/** The writing actions of `/aspects`. */
@Controller()
export class AspectsController {
  @Inject(authorizeWrites) private readonly authorizeWrites!: UseCase<typeof authorizeWrites>;
  @Inject(createProposer) private readonly createProposer!: UseCase<typeof createProposer>;
  @Inject(ingestProposal) private readonly ingestProposal!: UseCase<typeof ingestProposal>;
  @Inject(ingestProposalBatch) private readonly ingestProposalBatch!: UseCase<typeof ingestProposalBatch>;

  /** Answers with the urn of the written entity. */
  @Route(INGEST_PROPOSAL)
  async ingestOne(
    @Parameters() { proposal: members, async: isAsync }: Input<typeof INGEST_PROPOSAL>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<string> {
    const unknown = collectUnknownNames(request);
    const proposal = parseProposal(members, this.createProposer(actorOf(request)), unknown.report);
    reportStrayConditions(request, [proposal], unknown);
    await this.authorizeWrites(request, [proposal]);
    const position = await this.ingestProposal(proposal, { isAsync, unknown });
    if (position !== undefined) setPosition(reply, position);
    return proposal.urn;
  }

  /** Accepts several proposals; applies all or none when the caller waits. */
  @Route(INGEST_PROPOSAL_BATCH)
  async ingestBatch(
    @Parameters() { proposals: elements, async: isAsync }: Input<typeof INGEST_PROPOSAL_BATCH>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<string> {
    const unknown = collectUnknownNames(request);
    const proposals = await inSlices(
      parseProposals(elements, this.createProposer(actorOf(request)), unknown.report),
    );
    reportStrayConditions(request, proposals, unknown);
    await this.authorizeWrites(request, proposals);
    const position = await this.ingestProposalBatch(proposals, { isAsync, unknown });
    if (position !== undefined) setPosition(reply, position);
    return 'success';
  }
}
