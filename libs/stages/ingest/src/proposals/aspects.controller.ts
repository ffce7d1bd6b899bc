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
import { inSlices } from '@stratalog/ports';
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
  constructor(
    @Inject(authorizeWrites) private readonly authorize: UseCase<typeof authorizeWrites>,
    @Inject(createProposer) private readonly proposerOf: UseCase<typeof createProposer>,
    @Inject(ingestProposal) private readonly ingestOne: UseCase<typeof ingestProposal>,
    @Inject(ingestProposalBatch) private readonly ingestBatch: UseCase<typeof ingestProposalBatch>,
  ) {}

  /** Answers with the urn of the written entity. */
  @Route(INGEST_PROPOSAL)
  async ingestProposal(
    @Parameters() { proposal: members, async: isAsync }: Input<typeof INGEST_PROPOSAL>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<string> {
    const unknown = collectUnknownNames(request);
    const proposal = parseProposal(members, this.proposerOf(actorOf(request)), unknown.report);
    reportStrayConditions(request, [proposal], unknown);
    await this.authorize(request, [proposal]);
    const position = await this.ingestOne(proposal, { isAsync, unknown });
    if (position !== undefined) setPosition(reply, position);
    return proposal.urn;
  }

  /** Accepts several proposals; applies all or none when the caller waits. */
  @Route(INGEST_PROPOSAL_BATCH)
  async ingestProposalBatch(
    @Parameters() { proposals: elements, async: isAsync }: Input<typeof INGEST_PROPOSAL_BATCH>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<string> {
    const unknown = collectUnknownNames(request);
    const proposals = await inSlices(
      parseProposals(elements, this.proposerOf(actorOf(request)), unknown.report),
    );
    reportStrayConditions(request, proposals, unknown);
    await this.authorize(request, proposals);
    const position = await this.ingestBatch(proposals, { isAsync, unknown });
    if (position !== undefined) setPosition(reply, position);
    return 'success';
  }
}
