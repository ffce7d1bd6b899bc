import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  actorOf,
  setPosition,
  setTask,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { timeRange } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { authorizeWrites } from '../policies/authorize-writes';
import { createCaller } from '../proposals/create-caller';
import { deleteEntity } from './delete-entity';
import { deleteReferences } from './delete-references';
import { DELETE_ENTITY, DELETE_REFERENCES } from './deletion.routes';

/** The deleting actions of `/entities`. */
@Controller()
export class DeletionController {
  @Inject(createCaller) private readonly createCaller!: UseCase<typeof createCaller>;
  @Inject(authorizeWrites) private readonly authorizeWrites!: UseCase<typeof authorizeWrites>;
  @Inject(deleteEntity) private readonly deleteEntity!: UseCase<typeof deleteEntity>;
  @Inject(deleteReferences) private readonly deleteReferences!: UseCase<typeof deleteReferences>;

  @Route(DELETE_ENTITY)
  async deleteOne(
    @Parameters() { urn, aspectName, startTimeMillis, endTimeMillis }: Input<typeof DELETE_ENTITY>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutputObject> {
    await this.authorizeWrites(request, [{ urn, aspectName, changeType: 'DELETE' }]);
    const within = timeRange(startTimeMillis, endTimeMillis);
    const caller = this.createCaller(actorOf(request));
    const { body, position } = await this.deleteEntity({ urn, aspectName, within }, caller);
    if (position !== undefined) setPosition(reply, position);
    return body;
  }

  @Route(DELETE_REFERENCES)
  async deleteReferencesTo(
    @Parameters() entity: Input<typeof DELETE_REFERENCES>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutputObject> {
    const { body, task } = await this.deleteReferences(entity, actorOf(request));
    if (task !== undefined) setTask(reply, task);
    return body;
  }
}
