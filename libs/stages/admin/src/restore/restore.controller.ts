import { Controller, Inject, Req } from '@nestjs/common';
import { Parameters, Route, actorOf, type Input, type UseCase, type WireRequest } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
import { restoreIndices } from './restore-indices';
import { startRestore } from './restore-task';
import { RESTORE_INDICES, RESTORE_INDICES_OF_ASPECTS, START_RESTORE } from './restore.routes';

/** Restates aspects to the indices, at both addresses of the original. */
@Controller()
export class RestoreController {
  @Inject(restoreIndices) private readonly restoreIndices!: UseCase<typeof restoreIndices>;
  @Inject(startRestore) private readonly startRestore!: UseCase<typeof startRestore>;

  @Route(RESTORE_INDICES)
  restore(
    @Parameters() parameters: Input<typeof RESTORE_INDICES>,
    @Req() request: WireRequest,
  ): Promise<string> {
    return this.restoreIndices(parameters, actorOf(request));
  }

  @Route(RESTORE_INDICES_OF_ASPECTS)
  restoreOfAspects(
    @Parameters() parameters: Input<typeof RESTORE_INDICES_OF_ASPECTS>,
    @Req() request: WireRequest,
  ): Promise<string> {
    return this.restoreIndices(parameters, actorOf(request));
  }

  @Route(START_RESTORE)
  start(
    @Parameters() selection: Input<typeof START_RESTORE>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    return this.startRestore(selection, actorOf(request));
  }
}
