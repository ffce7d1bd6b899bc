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
import { limitsOf } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { reportUnknownAspects } from '../entities/report-unknown-aspects';
import { COUNT_CHANGES, LIST_CHANGES } from './changes.routes';
import { countChanges } from './count-changes';
import { listChanges } from './list-changes';

/** Sums up changes: those of all entities, and those of one by day. */
@Controller()
export class ChangesController {
  @Inject(listChanges) private readonly listChanges!: UseCase<typeof listChanges>;
  @Inject(countChanges) private readonly countChanges!: UseCase<typeof countChanges>;
  @Inject(reportUnknownAspects) private readonly reportUnknownAspects!: UseCase<typeof reportUnknownAspects>;

  @Route(LIST_CHANGES)
  list(
    @Parameters() query: Input<typeof LIST_CHANGES>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    return this.listChanges(query, limitsOf(principalOf(request), 'reads'));
  }

  @Route(COUNT_CHANGES)
  count(
    @Parameters() { aspects, ...query }: Input<typeof COUNT_CHANGES>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    this.reportUnknownAspects(collectUnknownNames(request), aspects);
    return this.countChanges({ ...query, aspectNames: aspects });
  }
}
