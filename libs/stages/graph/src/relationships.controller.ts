import { Controller, Delete, Get, Inject, Req, Res } from '@nestjs/common';
import {
  Documented,
  queryParameters,
  setIndexPosition,
  waitForPosition,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { IndexPositionWatch, awaitPosition } from '@stratalog/indexing';
import type { JsonOutputObject } from '@stratalog/model';
import { readRelationships, liveGraph, type GraphParts } from './read-relationships';
import { relationshipRequestOf, requiredUrn } from './relationship-request-of';
import { READ_RELATIONSHIPS, REMOVE_RELATIONSHIPS } from './relationships.docs';

export interface RelationshipsParts extends GraphParts {
  /** How long a question waits for a position that it was asked to include. */
  readonly positionTimeoutMs: number;
}

export const RELATIONSHIPS_PARTS = Symbol('relationships parts');

/** The routes of `/relationships`. */
@Controller('relationships')
export class RelationshipsController {
  private readonly watch: IndexPositionWatch;

  constructor(@Inject(RELATIONSHIPS_PARTS) private readonly parts: RelationshipsParts) {
    this.watch = new IndexPositionWatch('relationship graph', parts.graphIndexes);
  }

  @Documented(READ_RELATIONSHIPS)
  @Get()
  async read(
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutputObject> {
    const question = relationshipRequestOf(queryParameters(request));
    const wanted = waitForPosition(request);
    const { store, positionTimeoutMs } = this.parts;
    if (wanted !== undefined) await awaitPosition({ store, watch: this.watch }, wanted, positionTimeoutMs);
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
    await graph.removeEdgesOf(urn);
  }
}
