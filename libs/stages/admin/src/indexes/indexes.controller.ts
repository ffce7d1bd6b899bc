import { Controller, Inject, Req } from '@nestjs/common';
import { Parameters, Route, actorOf, type Input, type UseCase, type WireRequest } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
import { describeIndex } from './describe-index';
import { DESCRIBE_INDEX, REBUILD_INDEX, REBUILD_INDICES } from './indexes.routes';
import { rebuildIndex, rebuildIndices } from './rebuild-indices';

/** The actions of operators on indices. */
@Controller()
export class IndexesController {
  @Inject(describeIndex) private readonly describeIndex!: UseCase<typeof describeIndex>;
  @Inject(rebuildIndex) private readonly rebuildIndex!: UseCase<typeof rebuildIndex>;
  @Inject(rebuildIndices) private readonly rebuildIndices!: UseCase<typeof rebuildIndices>;

  @Route(REBUILD_INDICES)
  rebuildAll(
    @Parameters() { index }: Input<typeof REBUILD_INDICES>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    return this.rebuildIndices(index, actorOf(request));
  }

  @Route(REBUILD_INDEX)
  rebuild(
    @Parameters() { index }: Input<typeof REBUILD_INDEX>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    return this.rebuildIndex(index, actorOf(request));
  }

  @Route(DESCRIBE_INDEX)
  describe(@Parameters() { index }: Input<typeof DESCRIBE_INDEX>): Promise<JsonOutputObject> {
    return this.describeIndex(index);
  }
}
