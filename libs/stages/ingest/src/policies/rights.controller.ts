import { Controller, Inject, Req } from '@nestjs/common';
import {
  Parameters,
  Route,
  collectUnknownNames,
  principalOf,
  type Input,
  type UseCase,
  type WireRequest,
} from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
import { explainRights } from './explain-rights';
import { READ_RIGHTS } from './rights.routes';

/** What a caller may write. */
@Controller()
export class RightsController {
  @Inject(explainRights) private readonly explainRights!: UseCase<typeof explainRights>;

  @Route(READ_RIGHTS)
  read(
    @Parameters() { urn, aspects }: Input<typeof READ_RIGHTS>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    return this.explainRights(
      { urn, aspectNames: aspects, unknown: collectUnknownNames(request) },
      principalOf(request),
    );
  }
}
