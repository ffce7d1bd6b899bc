import { Controller, Inject, Req } from '@nestjs/common';
import {
  Parameters,
  Route,
  collectUnknownNames,
  type Input,
  type UseCase,
  type WireRequest,
} from '@stratalog/http';
import type { JsonOutput } from '@stratalog/json';
import { reportUnknownAspects } from '../entities/report-unknown-aspects';
import { BATCH_GET } from './batch-get.routes';
import { readEntityList } from './read-entity-list';

/** The read of OpenAPI clients: the entities of one type, at chosen versions of their aspects. */
@Controller()
export class BatchGetController {
  @Inject(readEntityList) private readonly readEntityList!: UseCase<typeof readEntityList>;
  @Inject(reportUnknownAspects) private readonly reportUnknownAspects!: UseCase<typeof reportUnknownAspects>;

  @Route(BATCH_GET)
  batchGet(
    @Parameters() { entityType, entities, systemMetadata }: Input<typeof BATCH_GET>,
    @Req() request: WireRequest,
  ): Promise<JsonOutput> {
    const names = new Set(entities.flatMap(({ versions }) => [...versions.keys()]));
    this.reportUnknownAspects(collectUnknownNames(request), names, '/entities/');
    return this.readEntityList({ entityType, entities, withMetadata: systemMetadata });
  }
}
