import { Controller, Inject, Req } from '@nestjs/common';
import {
  Parameters,
  Route,
  collectUnknownNames,
  type Input,
  type UseCase,
  type WireRequest,
} from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
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
  @Inject(readEntity) private readonly readEntity!: UseCase<typeof readEntity>;
  @Inject(readEntities) private readonly readEntities!: UseCase<typeof readEntities>;
  @Inject(readTimeline) private readonly readTimeline!: UseCase<typeof readTimeline>;
  @Inject(readVersionedEntities) private readonly readVersionedEntities!: UseCase<
    typeof readVersionedEntities
  >;
  @Inject(readSnapshot) private readonly readSnapshot!: UseCase<typeof readSnapshot>;
  @Inject(readSnapshots) private readonly readSnapshots!: UseCase<typeof readSnapshots>;
  @Inject(reportUnknownAspects) private readonly reportUnknownAspects!: UseCase<typeof reportUnknownAspects>;

  @Route(READ_ENTITY)
  readOne(
    @Parameters() { urn, aspects, asOf }: Input<typeof READ_ENTITY>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    this.reportUnknownAspects(collectUnknownNames(request), aspects);
    return this.readEntity(urn, { aspectNames: aspects, asOf });
  }

  @Route(READ_ENTITIES)
  readMany(
    @Parameters() { ids, aspects, asOf }: Input<typeof READ_ENTITIES>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    this.reportUnknownAspects(collectUnknownNames(request), aspects);
    return this.readEntities(ids, { aspectNames: aspects, asOf });
  }

  @Route(READ_TIMELINE)
  readChanges(
    @Parameters() { aspects, ...query }: Input<typeof READ_TIMELINE>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    this.reportUnknownAspects(collectUnknownNames(request), aspects);
    return this.readTimeline({ ...query, aspectNames: aspects });
  }

  @Route(READ_VERSIONED_ENTITIES)
  readVersioned(
    @Parameters() { entityType, ids, aspects }: Input<typeof READ_VERSIONED_ENTITIES>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    this.reportUnknownAspects(collectUnknownNames(request), aspects);
    return this.readVersionedEntities({ entityType, ids, aspectNames: aspects ?? [] });
  }

  @Route(READ_SNAPSHOT)
  readLegacy(
    @Parameters() { urn, aspects }: Input<typeof READ_SNAPSHOT>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    this.reportUnknownAspects(collectUnknownNames(request), aspects);
    return this.readSnapshot(urn, aspects);
  }

  @Route(READ_SNAPSHOTS)
  readManyLegacy(
    @Parameters() { ids, aspects }: Input<typeof READ_SNAPSHOTS>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    this.reportUnknownAspects(collectUnknownNames(request), aspects);
    return this.readSnapshots(ids, aspects);
  }
}
