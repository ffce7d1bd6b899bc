import { Controller, Inject, Req } from '@nestjs/common';
import {
  Parameters,
  Route,
  collectUnknownNames,
  type Input,
  type UseCase,
  type WireRequest,
} from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/model';
import {
  READ_ENTITIES,
  READ_ENTITY,
  READ_SNAPSHOT,
  READ_SNAPSHOTS,
  READ_TIMELINE,
  READ_VERSIONED_ENTITIES,
} from './entities.routes';
import { reportUnknownAspects } from './report-unknown-aspects';
import { readEntities, readEntity } from './read-entity';
import { readSnapshot, readSnapshots } from './read-snapshot';
import { readTimeline } from './read-timeline';
import { readVersionedEntities } from './read-versioned-entities';

/** Reads entities by their urns: `/entitiesV2`, `/entitiesVersionedV2`, and `/entities` in the legacy form. */
@Controller()
export class EntitiesController {
  constructor(
    @Inject(readEntity) private readonly readOne: UseCase<typeof readEntity>,
    @Inject(readEntities) private readonly readMany: UseCase<typeof readEntities>,
    @Inject(readTimeline) private readonly readChanges: UseCase<typeof readTimeline>,
    @Inject(readVersionedEntities) private readonly readVersioned: UseCase<typeof readVersionedEntities>,
    @Inject(readSnapshot) private readonly readLegacy: UseCase<typeof readSnapshot>,
    @Inject(readSnapshots) private readonly readManyLegacy: UseCase<typeof readSnapshots>,
    @Inject(reportUnknownAspects) private readonly reportUnknown: UseCase<typeof reportUnknownAspects>,
  ) {}

  @Route(READ_ENTITY)
  readEntity(
    @Parameters() { urn, aspects, asOf }: Input<typeof READ_ENTITY>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    this.reportUnknown(collectUnknownNames(request), aspects);
    return this.readOne(urn, { aspectNames: aspects, asOf });
  }

  @Route(READ_ENTITIES)
  readEntities(
    @Parameters() { ids, aspects, asOf }: Input<typeof READ_ENTITIES>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    this.reportUnknown(collectUnknownNames(request), aspects);
    return this.readMany(ids, { aspectNames: aspects, asOf });
  }

  @Route(READ_TIMELINE)
  readTimeline(
    @Parameters() { aspects, ...query }: Input<typeof READ_TIMELINE>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    this.reportUnknown(collectUnknownNames(request), aspects);
    return this.readChanges({ ...query, aspectNames: aspects });
  }

  @Route(READ_VERSIONED_ENTITIES)
  readVersionedEntities(
    @Parameters() { entityType, ids, aspects }: Input<typeof READ_VERSIONED_ENTITIES>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    this.reportUnknown(collectUnknownNames(request), aspects);
    return this.readVersioned({ entityType, ids, aspectNames: aspects ?? [] });
  }

  @Route(READ_SNAPSHOT)
  readSnapshot(
    @Parameters() { urn, aspects }: Input<typeof READ_SNAPSHOT>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    this.reportUnknown(collectUnknownNames(request), aspects);
    return this.readLegacy(urn, aspects);
  }

  @Route(READ_SNAPSHOTS)
  readSnapshots(
    @Parameters() { ids, aspects }: Input<typeof READ_SNAPSHOTS>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    this.reportUnknown(collectUnknownNames(request), aspects);
    return this.readManyLegacy(ids, aspects);
  }
}
