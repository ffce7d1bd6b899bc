import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Action,
  Documented,
  actionParameters,
  actorOf,
  setPosition,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { timeRange, type JsonOutputObject } from '@stratalog/model';
import type { Clock } from '@stratalog/ports';
import { deleteEntity, type DeletionDeps } from './delete-entity';
import { deleteReferences, type ReferenceDeps } from './delete-references';
import { DELETE_ENTITY, DELETE_REFERENCES } from './deletion.docs';

export const DELETION_DEPS = Symbol('deletion dependencies');

/** The deleting actions of `/entities`. */
@Controller()
export class DeletionController {
  constructor(
    @Inject(DELETION_DEPS)
    private readonly deps: DeletionDeps & ReferenceDeps & { readonly clock: Clock },
  ) {}

  @Documented(DELETE_ENTITY)
  @Action('entities', 'delete')
  async deleteEntity(
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutputObject> {
    const parameters = actionParameters(request);
    const urn = parameters.requiredString('urn');
    const aspectName = parameters.optionalString('aspectName');
    const startMs = parameters.optionalLong('startTimeMillis', { minimum: 0 });
    const endMs = parameters.optionalLong('endTimeMillis', { minimum: 0 });
    const within = timeRange(startMs, endMs);
    const caller = { actor: actorOf(request), nowMs: this.deps.clock.now() };
    const { body, position } = await deleteEntity(this.deps, { urn, aspectName, within }, caller);
    if (position !== undefined) setPosition(reply, position);
    return body;
  }

  @Documented(DELETE_REFERENCES)
  @Action('entities', 'deleteReferences')
  deleteReferences(@Req() request: WireRequest): Promise<JsonOutputObject> {
    const parameters = actionParameters(request);
    const urn = parameters.requiredString('urn');
    const dryRun = parameters.optionalBoolean('dryRun') ?? false;
    const caller = { actor: actorOf(request), nowMs: this.deps.clock.now() };
    return deleteReferences(this.deps, { urn, dryRun }, caller);
  }
}
