import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  actorOf,
  setTask,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { InvalidRequestError } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { describeRun, listRuns } from './describe-run';
import { rollbackRun } from './rollback-run';
import { DESCRIBE_RUN, LIST_RUNS, ROLLBACK_RUN } from './runs.routes';

/** The actions of `/runs`: the writes of connectors, by run id. */
@Controller()
export class RunsController {
  @Inject(listRuns) private readonly listRuns!: UseCase<typeof listRuns>;
  @Inject(describeRun) private readonly describeRun!: UseCase<typeof describeRun>;
  @Inject(rollbackRun) private readonly rollbackRun!: UseCase<typeof rollbackRun>;

  @Route(LIST_RUNS)
  list(@Parameters() page: Input<typeof LIST_RUNS>): Promise<JsonOutputObject[]> {
    return this.listRuns(page);
  }

  @Route(DESCRIBE_RUN)
  describe(@Parameters() page: Input<typeof DESCRIBE_RUN>): Promise<JsonOutputObject[]> {
    return this.describeRun(page);
  }

  @Route(ROLLBACK_RUN)
  async rollback(
    @Parameters() { runId, dryRun, ...deletion }: Input<typeof ROLLBACK_RUN>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutputObject> {
    const rollback = { runId, dryRun, isHard: readIsHard(deletion) };
    const { body, task } = await this.rollbackRun(rollback, actorOf(request));
    if (task !== undefined) setTask(reply, task);
    return body;
  }
}

/**
 * Newer clients send `safe`, older ones `hardDelete`. A caller that sends `safe` as true never loses an entity
 * through `hardDelete`.
 */
function readIsHard({ safe, hardDelete }: Pick<Input<typeof ROLLBACK_RUN>, 'safe' | 'hardDelete'>): boolean {
  if (safe === true && hardDelete) {
    throw new InvalidRequestError("Parameters 'safe' and 'hardDelete' are both true; send 'safe' alone");
  }
  return safe === undefined ? hardDelete : !safe;
}
