import { Controller, Inject, Req } from '@nestjs/common';
import { Parameters, Route, actorOf, type Input, type WireRequest } from '@stratalog/http';
import { InvalidRequestError, type JsonOutputObject } from '@stratalog/model';
import type { Clock } from '@stratalog/ports';
import { describeRun, listRuns } from './describe-run';
import { rollbackRun, type RunRollbackDeps } from './rollback-run';
import { DESCRIBE_RUN, LIST_RUNS, ROLLBACK_RUN } from './runs.routes';

export const RUN_DEPS = Symbol('run dependencies');

/** The actions of `/runs`: the writes of connectors, by run id. */
@Controller()
export class RunsController {
  constructor(@Inject(RUN_DEPS) private readonly deps: RunRollbackDeps & { readonly clock: Clock }) {}

  @Route(LIST_RUNS)
  list(@Parameters() page: Input<typeof LIST_RUNS>): Promise<JsonOutputObject[]> {
    return listRuns(this.deps, page);
  }

  @Route(DESCRIBE_RUN)
  describe(@Parameters() page: Input<typeof DESCRIBE_RUN>): Promise<JsonOutputObject[]> {
    return describeRun(this.deps, page);
  }

  @Route(ROLLBACK_RUN)
  rollback(
    @Parameters() { runId, dryRun, ...deletion }: Input<typeof ROLLBACK_RUN>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    const caller = { actor: actorOf(request), nowMs: this.deps.clock.now() };
    return rollbackRun(this.deps, { runId, dryRun, isHard: readIsHard(deletion) }, caller);
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
