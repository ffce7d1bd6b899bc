import { Controller, Inject } from '@nestjs/common';
import { Parameters, Route, type Input } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/model';
import { describeIndex, rebuildIndex, type AdminDeps } from './describe-index';
import { DESCRIBE_INDEX, REBUILD_INDEX } from './indexes.routes';

export const ADMIN_DEPS = Symbol('admin dependencies');

/** The actions of operators on indices. */
@Controller()
export class IndexesController {
  constructor(@Inject(ADMIN_DEPS) private readonly deps: AdminDeps) {}

  @Route(REBUILD_INDEX)
  rebuild(@Parameters() { index }: Input<typeof REBUILD_INDEX>): Promise<JsonOutputObject> {
    return rebuildIndex(this.deps, index);
  }

  @Route(DESCRIBE_INDEX)
  describe(@Parameters() { index }: Input<typeof DESCRIBE_INDEX>): Promise<JsonOutputObject> {
    return describeIndex(this.deps, index);
  }
}
