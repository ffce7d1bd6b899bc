import { Controller, Inject, Req } from '@nestjs/common';
import {
  Action,
  Documented,
  actionParameters,
  actorOf,
  type ActionParameters,
  type WireRequest,
} from '@stratalog/http';
import { InvalidRequestError, type JsonOutputObject } from '@stratalog/model';
import type { Clock } from '@stratalog/ports';
import { describeRun, listRuns } from './describe-run';
import { rollbackRun, type RunRollbackDeps } from './rollback-run';
import { DESCRIBE_RUN, LIST_RUNS, ROLLBACK_RUN } from './runs.docs';

export const RUN_DEPS = Symbol('run dependencies');

const MAX_START = 10_000_000;
const MAX_RUNS = 1_000;
const MAX_ASPECTS = 10_000;

/** The actions of `/runs`: the writes of connectors, by run id. */
@Controller()
export class RunsController {
  constructor(@Inject(RUN_DEPS) private readonly deps: RunRollbackDeps & { readonly clock: Clock }) {}

  @Documented(LIST_RUNS)
  @Action('runs', 'list')
  list(@Req() request: WireRequest): Promise<JsonOutputObject[]> {
    const parameters = actionParameters(request);
    return listRuns(this.deps, {
      pageOffset: parameters.optionalInteger('pageOffset', { minimum: 0, maximum: MAX_START }) ?? 0,
      pageSize: parameters.optionalInteger('pageSize', { minimum: 0, maximum: MAX_RUNS }) ?? 100,
      includeSoft: parameters.optionalBoolean('includeSoft') ?? false,
    });
  }

  @Documented(DESCRIBE_RUN)
  @Action('runs', 'describe')
  describe(@Req() request: WireRequest): Promise<JsonOutputObject[]> {
    const parameters = actionParameters(request);
    return describeRun(this.deps, {
      runId: parameters.requiredString('runId'),
      start: parameters.requiredInteger('start', { minimum: 0, maximum: MAX_START }),
      count: parameters.requiredInteger('count', { minimum: 0, maximum: MAX_ASPECTS }),
      includeSoft: parameters.optionalBoolean('includeSoft') ?? false,
      includeAspect: parameters.optionalBoolean('includeAspect') ?? false,
    });
  }

  @Documented(ROLLBACK_RUN)
  @Action('runs', 'rollback')
  rollback(@Req() request: WireRequest): Promise<JsonOutputObject> {
    const parameters = actionParameters(request);
    const runId = parameters.requiredString('runId');
    const dryRun = parameters.optionalBoolean('dryRun');
    if (dryRun === undefined) throw new InvalidRequestError("Parameter 'dryRun' is required");
    const caller = { actor: actorOf(request), nowMs: this.deps.clock.now() };
    return rollbackRun(this.deps, { runId, dryRun, isHard: readIsHard(parameters) }, caller);
  }
}

/**
 * Newer clients send `safe`, older ones `hardDelete`. A caller that sends `safe` as true never loses an entity
 * through `hardDelete`.
 */
function readIsHard(parameters: ActionParameters): boolean {
  const safe = parameters.optionalBoolean('safe');
  const hardDelete = parameters.optionalBoolean('hardDelete');
  if (safe === true && hardDelete === true) {
    throw new InvalidRequestError("Parameters 'safe' and 'hardDelete' are both true; send 'safe' alone");
  }
  return safe === undefined ? (hardDelete ?? false) : !safe;
}
