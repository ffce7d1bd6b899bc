import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  actorOf,
  findLargeParts,
  setPosition,
  collectUnknownNames,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { inSlices } from '@stratalog/concurrency';
import { authorizeWrites } from '../policies/authorize-writes';
import { createProposer } from '../proposals/create-caller';
import { reportStrayConditions } from '../proposals/report-stray-conditions';
import { ingestSnapshots } from './ingest-snapshots';
import { parseSnapshot, parseSnapshots, type SnapshotProposals } from './parse-snapshots';
import { BATCH_INGEST, INGEST } from './snapshots.routes';

/** The writing actions of `/entities` for legacy snapshots. Their answers are empty. */
@Controller()
export class SnapshotsController {
  @Inject(authorizeWrites) private readonly authorizeWrites!: UseCase<typeof authorizeWrites>;
  @Inject(createProposer) private readonly createProposer!: UseCase<typeof createProposer>;
  @Inject(ingestSnapshots) private readonly ingestSnapshots!: UseCase<typeof ingestSnapshots>;

  /** Writes all aspects of one entity or none. */
  @Route(INGEST)
  async ingest(
    @Parameters() snapshot: Input<typeof INGEST>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<void> {
    const proposals = await inSlices(parseSnapshot(snapshot, this.toContext(request)));
    await this.authorizeWrites(request, proposals);
    settleNames(request);
    await this.write([proposals], reply);
  }

  /** Checks all snapshots before it writes the first; then writes each on its own. */
  @Route(BATCH_INGEST)
  async batchIngest(
    @Parameters() snapshots: Input<typeof BATCH_INGEST>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<void> {
    const proposals = await inSlices(parseSnapshots(snapshots, this.toContext(request)));
    await this.authorizeWrites(request, proposals.flat());
    settleNames(request);
    await this.write(proposals, reply);
  }

  private async write(snapshots: readonly SnapshotProposals[], reply: WireReply): Promise<void> {
    const position = await this.ingestSnapshots(snapshots);
    if (position !== undefined) setPosition(reply, position);
  }

  private toContext(request: WireRequest) {
    const { report } = collectUnknownNames(request);
    return { ...this.createProposer(actorOf(request)), large: findLargeParts(request), report };
  }
}

/** Snapshots have no conditions. */
function settleNames(request: WireRequest): void {
  const unknown = collectUnknownNames(request);
  reportStrayConditions(request, [], unknown);
  unknown.settle();
}
