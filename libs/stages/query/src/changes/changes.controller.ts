import { Controller, Inject, Req } from '@nestjs/common';
import { Parameters, Route, principalOf, type Input, type UseCase, type WireRequest } from '@stratalog/http';
import { limitsOf, type JsonOutputObject } from '@stratalog/model';
import { LIST_CHANGES } from './changes.routes';
import { listChanges } from './list-changes';

/** Reads the changes of many entities. */
@Controller()
export class ChangesController {
  @Inject(listChanges) private readonly listChanges!: UseCase<typeof listChanges>;

  @Route(LIST_CHANGES)
  list(
    @Parameters() query: Input<typeof LIST_CHANGES>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    return this.listChanges(query, limitsOf(principalOf(request), 'reads'));
  }
}
