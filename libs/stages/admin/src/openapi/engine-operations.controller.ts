import { Controller, Inject, Req } from '@nestjs/common';
import { Parameters, Route, actorOf, type Input, type UseCase, type WireRequest } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
import { restoreEntities } from '../restore/restore-entities';
import { restoreSelected } from '../restore/restore-records';
import { readEsTask } from '../tasks/es-task-status';
import { listIndexSizes } from '../timeseries/index-sizes';
import {
  OPENAPI_INDEX_SIZES,
  OPENAPI_RESTORE_ENTITIES,
  OPENAPI_RESTORE_INDICES,
  OPENAPI_TASK_STATUS,
} from './engine-operations.routes';

/**
 * The calls of operators at the OpenAPI addresses of the original.
 *
 * **Source**: `docs/wire-decisions.md`, Operations.
 */
@Controller()
export class EngineOperationsController {
  @Inject(readEsTask) private readonly readEsTask!: UseCase<typeof readEsTask>;
  @Inject(listIndexSizes) private readonly listIndexSizes!: UseCase<typeof listIndexSizes>;
  @Inject(restoreSelected) private readonly restoreSelected!: UseCase<typeof restoreSelected>;
  @Inject(restoreEntities) private readonly restoreEntities!: UseCase<typeof restoreEntities>;

  @Route(OPENAPI_TASK_STATUS)
  getTaskStatus(@Parameters() { task }: Input<typeof OPENAPI_TASK_STATUS>): Promise<JsonOutputObject> {
    return this.readEsTask(task);
  }

  @Route(OPENAPI_INDEX_SIZES)
  getIndexSizes(): Promise<JsonOutputObject> {
    return this.listIndexSizes();
  }

  @Route(OPENAPI_RESTORE_INDICES)
  restoreIndices(
    @Parameters() { aspectName: aspect, ...query }: Input<typeof OPENAPI_RESTORE_INDICES>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject[]> {
    return this.restoreSelected({ ...query, aspect }, actorOf(request));
  }

  @Route(OPENAPI_RESTORE_ENTITIES)
  restoreListed(
    @Parameters() entities: Input<typeof OPENAPI_RESTORE_ENTITIES>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject[]> {
    return this.restoreEntities(entities, actorOf(request));
  }
}
