import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  setIndexPosition,
  waitForPosition,
  type Input,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { CheckpointPoller, awaitPosition } from '@stratalog/indexing';
import type { JsonOutputObject } from '@stratalog/model';
import { readRelationships, liveGraph, type GraphDeps } from './read-relationships';
import { READ_RELATIONSHIPS, REMOVE_RELATIONSHIPS } from './relationships.routes';

export interface RelationshipsDeps extends GraphDeps {
  /** Longest wait of a query for the position that its header requests. */
  readonly positionTimeoutMs: number;
}

export const RELATIONSHIPS_DEPS = Symbol('relationships dependencies');

/** The routes of `/relationships`. */
@Controller()
export class RelationshipsController {
  private readonly watch: CheckpointPoller;

  constructor(@Inject(RELATIONSHIPS_DEPS) private readonly deps: RelationshipsDeps) {
    this.watch = new CheckpointPoller('relationship graph', deps.graphIndexes);
  }

  @Route(READ_RELATIONSHIPS)
  async read(
    @Parameters() { types, ...query }: Input<typeof READ_RELATIONSHIPS>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutputObject> {
    const wanted = waitForPosition(request);
    const { store, positionTimeoutMs } = this.deps;
    if (wanted !== undefined) await awaitPosition({ store, poller: this.watch }, wanted, positionTimeoutMs);
    const { body, position, lag } = await readRelationships(this.deps, {
      ...query,
      relationships: [...new Set(types)],
    });
    const { storeId, epoch } = store.identity;
    setIndexPosition(reply, { storeId, epoch, seqs: position }, lag);
    return body;
  }

  /** Removes edges from the graph only; the next change of an aspect projects its edges again. */
  @Route(REMOVE_RELATIONSHIPS)
  async remove(@Parameters() { urn }: Input<typeof REMOVE_RELATIONSHIPS>): Promise<void> {
    const graph = await liveGraph(this.deps.graphIndexes);
    await graph.removeEdges(urn);
  }
}
