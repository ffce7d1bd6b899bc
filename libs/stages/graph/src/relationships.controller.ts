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
  /** How long a question waits for a position that it was asked to include. */
  readonly positionTimeoutMs: number;
}

export const RELATIONSHIPS_DEPS = Symbol('relationships parts');

/** The routes of `/relationships`. */
@Controller('relationships')
export class RelationshipsController {
  private readonly watch: CheckpointPoller;

  constructor(@Inject(RELATIONSHIPS_DEPS) private readonly parts: RelationshipsDeps) {
    this.watch = new CheckpointPoller('relationship graph', parts.graphIndexes);
  }

  @Documented(READ_RELATIONSHIPS)
  @Get()
  async read(
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutputObject> {
    const question = parseRelationshipRequest(queryParameters(request));
    const wanted = waitForPosition(request);
    const { store, positionTimeoutMs } = this.parts;
    if (wanted !== undefined) await awaitPosition({ store, poller: this.watch }, wanted, positionTimeoutMs);
    const { body, position, lag } = await readRelationships(this.parts, question);
    const { storeId, epoch } = store.identity;
    setIndexPosition(reply, { storeId, epoch, seqs: position }, lag);
    return body;
  }

  /** The graph alone forgets: what the store says is drawn again when it is said anew. */
  @Documented(REMOVE_RELATIONSHIPS)
  @Delete()
  async remove(@Req() request: WireRequest): Promise<void> {
    const urn = requiredUrn(queryParameters(request));
    const graph = await liveGraph(this.parts.graphIndexes);
    await graph.removeEdges(urn);
  }
}
