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
import { timeRange, type JsonOutputObject } from '@stratalog/model';
import { authorizeWrites } from '../policies/authorize-writes';
import { createCaller } from '../proposals/create-caller';
import { deleteEntity } from './delete-entity';
import { deleteReferences } from './delete-references';
import { DELETE_ENTITY, DELETE_REFERENCES } from './deletion.routes';

/** The deleting actions of `/entities`. */
@Controller()
export class DeletionController {
  constructor(
    @Inject(createCaller) private readonly callerOf: UseCase<typeof createCaller>,
    @Inject(authorizeWrites) private readonly authorize: UseCase<typeof authorizeWrites>,
    @Inject(deleteEntity) private readonly deleteOne: UseCase<typeof deleteEntity>,
    @Inject(deleteReferences) private readonly deleteReferencesTo: UseCase<typeof deleteReferences>,
  ) {}

  @Route(DELETE_ENTITY)
  async deleteEntity(
    @Parameters() { urn, aspectName, startTimeMillis, endTimeMillis }: Input<typeof DELETE_ENTITY>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutputObject> {
    await this.authorize(request, [{ urn, aspectName, changeType: 'DELETE' }]);
    const within = timeRange(startTimeMillis, endTimeMillis);
    const caller = this.callerOf(actorOf(request));
    const { body, position } = await this.deleteOne({ urn, aspectName, within }, caller);
    if (position !== undefined) setPosition(reply, position);
    return body;
  }

  @Route(DELETE_REFERENCES)
  async deleteReferences(
    @Parameters() entity: Input<typeof DELETE_REFERENCES>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutputObject> {
    const { body, task } = await this.deleteReferencesTo(entity, actorOf(request));
    if (task !== undefined) setTask(reply, task);
    return body;
  }
}
