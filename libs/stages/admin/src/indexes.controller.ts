import { Controller, Inject } from '@nestjs/common';
import { Parameters, Route, type Input, type UseCase } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/model';
import { describeIndex, rebuildIndex } from './describe-index';
import { DESCRIBE_INDEX, REBUILD_INDEX } from './indexes.routes';

/** The actions of operators on indices. */
@Controller()
export class IndexesController {
  constructor(
    @Inject(describeIndex) private readonly describeVersions: UseCase<typeof describeIndex>,
    @Inject(rebuildIndex) private readonly requestRebuild: UseCase<typeof rebuildIndex>,
  ) {}

  @Route(REBUILD_INDEX)
  rebuild(@Parameters() { index }: Input<typeof REBUILD_INDEX>): Promise<JsonOutputObject> {
    return this.requestRebuild(index);
  }

  @Route(DESCRIBE_INDEX)
  describe(@Parameters() { index }: Input<typeof DESCRIBE_INDEX>): Promise<JsonOutputObject> {
    return this.describeVersions(index);
  }
}
