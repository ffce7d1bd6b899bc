import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  actorOf,
  collectUnknownNames,
  setAccepted,
  setPosition,
  setTraceparent,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { inSlices } from '@stratalog/concurrency';
import type { JsonOutput } from '@stratalog/json';
import { authorizeWrites } from '../policies/authorize-writes';
import { createProposer } from '../proposals/create-caller';
import { reportStrayConditions } from '../proposals/report-stray-conditions';
import { formatTraceparent, mintTraceId } from '../tracing/trace-id';
import { awaitIndexes } from './await-indexes';
import { DELETE_WRITTEN, PATCH_ENTITIES, WRITE_ENTITIES } from './entity-writes.routes';
import { parseEntities, toAnswer } from './parse-entities';
import { planDeletion } from './plan-deletion';
import { writeEntities } from './write-entities';

/** The writes of OpenAPI clients. */
@Controller()
export class EntityWritesController {
  @Inject(authorizeWrites) private readonly authorizeWrites!: UseCase<typeof authorizeWrites>;
  @Inject(createProposer) private readonly createProposer!: UseCase<typeof createProposer>;
  @Inject(mintTraceId) private readonly mintTraceId!: UseCase<typeof mintTraceId>;
  @Inject(awaitIndexes) private readonly awaitIndexes!: UseCase<typeof awaitIndexes>;
  @Inject(writeEntities) private readonly writeEntities!: UseCase<typeof writeEntities>;

  @Route(WRITE_ENTITIES)
  write(
    @Parameters() sent: Input<typeof WRITE_ENTITIES>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    return this.propose(WRITE_ENTITIES, sent, { request, reply });
  }

  @Route(PATCH_ENTITIES)
  patch(
    @Parameters() sent: Input<typeof PATCH_ENTITIES>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    return this.propose(PATCH_ENTITIES, sent, { request, reply });
  }

  /** Deletes together what the call names, or the entity. */
  @Route(DELETE_WRITTEN)
  async delete(
    @Parameters() deletion: Input<typeof DELETE_WRITTEN>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<void> {
    const placed = planDeletion(this.createProposer(actorOf(request)), deletion);
    await this.authorizeWrites(
      request,
      placed.map(({ proposal }) => proposal),
    );
    const position = await this.writeEntities(placed, { isAsync: false });
    if (position !== undefined) setPosition(reply, position);
  }

  private async propose(
    route: typeof WRITE_ENTITIES | typeof PATCH_ENTITIES,
    { entityType, entities, async: isAsync, systemMetadata }: Input<typeof WRITE_ENTITIES>,
    { request, reply }: { readonly request: WireRequest; readonly reply: WireReply },
  ): Promise<JsonOutput> {
    const unknown = collectUnknownNames(request);
    const changeType = route === PATCH_ENTITIES ? 'PATCH' : 'UPSERT';
    const { report } = unknown;
    const context = { ...this.createProposer(actorOf(request)), entityType, changeType, report } as const;
    const traceId = this.mintTraceId(context.nowMs);
    const placed = await inSlices(parseEntities(entities, { ...context, traceId }, route));
    const proposals = placed.map(({ proposal }) => proposal);
    reportStrayConditions(request, proposals, unknown);
    await this.authorizeWrites(request, proposals);
    const position = await this.writeEntities(placed, { isAsync, unknown });
    if (position !== undefined) setPosition(reply, position);
    if (isAsync) setAccepted(reply);
    setTraceparent(reply, formatTraceparent(traceId));
    if (position !== undefined && placed.some(({ isIndexAwaited }) => isIndexAwaited))
      await this.awaitIndexes(position, { proposals, unknown });
    return toAnswer(placed, systemMetadata);
  }
}
