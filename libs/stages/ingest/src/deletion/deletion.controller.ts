import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  actorOf,
  setPosition,
  type Input,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { timeRange, type JsonOutputObject } from '@stratalog/model';
import type { Clock } from '@stratalog/ports';
import { deleteEntity, type DeletionDeps } from './delete-entity';
import { deleteReferences, type ReferenceDeps } from './delete-references';
import { DELETE_ENTITY, DELETE_REFERENCES } from './deletion.routes';

export const DELETION_DEPS = Symbol('deletion dependencies');

/** The deleting actions of `/entities`. */
@Controller()
export class DeletionController {
  constructor(
    @Inject(DELETION_DEPS)
    private readonly deps: DeletionDeps & ReferenceDeps & { readonly clock: Clock },
  ) {}

  @Route(DELETE_ENTITY)
  async deleteEntity(
    @Parameters() { urn, aspectName, startTimeMillis, endTimeMillis }: Input<typeof DELETE_ENTITY>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutputObject> {
    const within = timeRange(startTimeMillis, endTimeMillis);
    const caller = { actor: actorOf(request), nowMs: this.deps.clock.now() };
    const { body, position } = await deleteEntity(this.deps, { urn, aspectName, within }, caller);
    if (position !== undefined) setPosition(reply, position);
    return body;
  }

  @Route(DELETE_REFERENCES)
  deleteReferences(
    @Parameters() entity: Input<typeof DELETE_REFERENCES>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    return deleteReferences(this.deps, entity, { actor: actorOf(request), nowMs: this.deps.clock.now() });
  }
}
