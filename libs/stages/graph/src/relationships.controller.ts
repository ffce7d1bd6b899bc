import { Controller, Delete, Get, Inject, Req, Res } from '@nestjs/common';
import {
  Documented,
  queryParameters,
  setIndexPosition,
  waitForPosition,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { CheckpointPoller, awaitPosition } from '@stratalog/indexing';
import type { JsonOutputObject } from '@stratalog/model';
import { readRelationships, liveGraph, type GraphDeps } from './read-relationships';
import { parseRelationshipRequest, requiredUrn } from './parse-relationship-request';
import { READ_RELATIONSHIPS, REMOVE_RELATIONSHIPS } from './relationships.docs';

export interface RelationshipsDeps extends GraphDeps {
  /** Longest wait of a query for the position that its header requests. */
  readonly positionTimeoutMs: number;
}

export const RELATIONSHIPS_DEPS = Symbol('relationships dependencies');

/** The routes of `/relationships`. */
@Controller('relationships')
export class RelationshipsController {
  private readonly watch: CheckpointPoller;

  constructor(@Inject(RELATIONSHIPS_DEPS) private readonly deps: RelationshipsDeps) {
    this.watch = new CheckpointPoller('relationship graph', deps.graphIndexes);
  }

  @Documented(READ_RELATIONSHIPS)
  @Get()
  async read(
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutputObject> {
    const query = parseRelationshipRequest(queryParameters(request));
    const wanted = waitForPosition(request);
    const { store, positionTimeoutMs } = this.deps;
    if (wanted !== undefined) await awaitPosition({ store, poller: this.watch }, wanted, positionTimeoutMs);
    const { body, position, lag } = await readRelationships(this.deps, query);
    const { storeId, epoch } = store.identity;
    setIndexPosition(reply, { storeId, epoch, seqs: position }, lag);
    return body;
  }

  /** Removes edges from the graph only; the next change of an aspect projects its edges again. */
  @Documented(REMOVE_RELATIONSHIPS)
  @Delete()
  async remove(@Req() request: WireRequest): Promise<void> {
    const urn = requiredUrn(queryParameters(request));
    const graph = await liveGraph(this.deps.graphIndexes);
    await graph.removeEdges(urn);
  }
}
