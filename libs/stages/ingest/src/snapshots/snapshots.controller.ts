import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  actorOf,
  findLargeParts,
  setPosition,
  collectUnknownNames,
  type Input,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { inSlices, type Clock } from '@stratalog/ports';
import { INGEST_DEPS } from '../proposals/aspects.controller';
import type { IngestDeps } from '../proposals/ingest-proposal';
import { ingestSnapshots } from './ingest-snapshots';
import { parseSnapshot, parseSnapshots, type SnapshotProposals } from './parse-snapshots';
import { BATCH_INGEST, INGEST } from './snapshots.routes';

/** The writing actions of `/entities` for legacy snapshots. Their answers are empty. */
@Controller()
export class SnapshotsController {
  constructor(@Inject(INGEST_DEPS) private readonly deps: IngestDeps & { readonly clock: Clock }) {}

  /** Writes all aspects of one entity or none. */
  @Route(INGEST)
  async ingest(
    @Parameters() snapshot: Input<typeof INGEST>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<void> {
    const proposals = await inSlices(parseSnapshot(snapshot, this.toContext(request)));
    collectUnknownNames(request).settle();
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
    collectUnknownNames(request).settle();
    await this.write(proposals, reply);
  }

  private async write(snapshots: readonly SnapshotProposals[], reply: WireReply): Promise<void> {
    const position = await ingestSnapshots(this.deps, snapshots);
    if (position !== undefined) setPosition(reply, position);
  }

  private toContext(request: WireRequest) {
    const { clock, registry } = this.deps;
    const { note } = collectUnknownNames(request);
    return { registry, actor: actorOf(request), nowMs: clock.now(), large: findLargeParts(request), note };
  }
}
