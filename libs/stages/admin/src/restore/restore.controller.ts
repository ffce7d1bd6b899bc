import { Controller, Inject, Req } from '@nestjs/common';
import { Parameters, Route, actorOf, type Input, type UseCase, type WireRequest } from '@stratalog/http';
import { restoreIndices } from './restore-indices';
import { RESTORE_INDICES, RESTORE_INDICES_OF_ASPECTS } from './restore.routes';

/** Restates aspects to the indices, at both addresses of the original. */
@Controller()
export class RestoreController {
  @Inject(restoreIndices) private readonly restoreIndices!: UseCase<typeof restoreIndices>;

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
}
