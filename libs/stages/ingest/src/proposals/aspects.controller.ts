import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  actorOf,
  setPosition,
  collectUnknownNames,
  type Input,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { inSlices, type Clock } from '@stratalog/ports';
import { urnOfKeyIn } from '@stratalog/registry';
import { INGEST_PROPOSAL, INGEST_PROPOSAL_BATCH } from './aspects.routes';
import { ingestProposal, type IngestDeps } from './ingest-proposal';
import { ingestProposalBatch } from './ingest-proposal-batch';
import { parseProposal, parseProposals } from './parse-proposal';

export const INGEST_DEPS = Symbol('ingest dependencies');

/** The writing actions of `/aspects`. */
@Controller()
export class AspectsController {
  constructor(@Inject(INGEST_DEPS) private readonly deps: IngestDeps & { readonly clock: Clock }) {}

  /** Answers with the urn of the written entity. */
  @Route(INGEST_PROPOSAL)
  async ingestProposal(
    @Parameters() { proposal: members, async: isAsync }: Input<typeof INGEST_PROPOSAL>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<string> {
    const unknown = collectUnknownNames(request);
    const proposal = parseProposal(members, this.toContext(request), unknown.note);
    const position = await ingestProposal(this.deps, proposal, { isAsync, unknown });
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
    const proposals = await inSlices(parseProposals(elements, this.toContext(request), unknown.note));
    const position = await ingestProposalBatch(this.deps, proposals, { isAsync, unknown });
    if (position !== undefined) setPosition(reply, position);
    return 'success';
  }

  private toContext(request: WireRequest) {
    const { clock, registry } = this.deps;
    return { actor: actorOf(request), nowMs: clock.now(), urnOfKey: urnOfKeyIn(registry) };
  }
}
