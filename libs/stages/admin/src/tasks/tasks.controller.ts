import type { Readable } from 'node:stream';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  actorOf,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
import { controlTask } from './control-task';
import { describeTask, listTasks } from './describe-task';
import { describeEsTask } from './es-task-status';
import { restartTask } from './restart-task';
import { TaskEvents } from './task-events';
import {
  CANCEL_TASK,
  FOLLOW_TASK,
  FOLLOW_TASKS,
  GET_ES_TASK_STATUS,
  LIST_TASKS,
  PAUSE_TASK,
  READ_TASK,
  RESTART_TASK,
  RESUME_TASK,
} from './tasks.routes';

/** Lists, follows and controls tasks. */
@Controller()
export class TasksController {
  @Inject(listTasks) private readonly listTasks!: UseCase<typeof listTasks>;
  @Inject(describeTask) private readonly describeTask!: UseCase<typeof describeTask>;
  @Inject(describeEsTask) private readonly describeEsTask!: UseCase<typeof describeEsTask>;
  @Inject(controlTask) private readonly controlTask!: UseCase<typeof controlTask>;
  @Inject(restartTask) private readonly restartTask!: UseCase<typeof restartTask>;
  @Inject(TaskEvents) private readonly events!: TaskEvents;

  @Route(LIST_TASKS)
  list(@Parameters() query: Input<typeof LIST_TASKS>): Promise<JsonOutputObject> {
    return this.listTasks(query);
  }

  @Route(READ_TASK)
  read(@Parameters() { task }: Input<typeof READ_TASK>): Promise<JsonOutputObject> {
    return this.describeTask(task);
  }

  @Route(FOLLOW_TASK)
  async follow(
    @Parameters() { task }: Input<typeof FOLLOW_TASK>,
    @Req() request: WireRequest,
    @Res() reply: WireReply,
  ): Promise<void> {
    // The events of a HEAD have no reader, and the stream would last as long as the task.
    const isRead = request.method !== 'HEAD';
    if (!isRead) await this.describeTask(task);
    sendEvents(reply, isRead ? await this.events.follow(task) : '');
  }

  @Route(FOLLOW_TASKS)
  followAll(@Req() request: WireRequest, @Res() reply: WireReply): void {
    sendEvents(reply, request.method === 'HEAD' ? '' : this.events.followAll());
  }

  @Route(PAUSE_TASK)
  pause(
    @Parameters() { task }: Input<typeof PAUSE_TASK>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    return this.controlTask({ task, request: 'pause' }, actorOf(request));
  }

  @Route(RESUME_TASK)
  resume(
    @Parameters() { task }: Input<typeof RESUME_TASK>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    return this.controlTask({ task, request: 'resume' }, actorOf(request));
  }

  @Route(CANCEL_TASK)
  cancel(
    @Parameters() { task }: Input<typeof CANCEL_TASK>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    return this.controlTask({ task, request: 'cancel' }, actorOf(request));
  }

  @Route(RESTART_TASK)
  restart(
    @Parameters() { task }: Input<typeof RESTART_TASK>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    return this.restartTask(task, actorOf(request));
  }

  @Route(GET_ES_TASK_STATUS)
  getEsTaskStatus(@Parameters() request: Input<typeof GET_ES_TASK_STATUS>): Promise<string> {
    return this.describeEsTask(request);
  }
}

/** The connection closes with the stream. Kept open, it would delay the stop of the process. */
function sendEvents(reply: WireReply, events: Readable | string): void {
  void reply
    .headers({ 'content-type': 'text/event-stream', 'cache-control': 'no-store', connection: 'close' })
    .send(events);
}
