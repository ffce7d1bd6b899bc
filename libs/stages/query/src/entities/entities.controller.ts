import { Controller, Inject, Req } from '@nestjs/common';
import { Parameters, Route, collectUnknownNames, type Input, type WireRequest } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/model';
import {
  READ_ENTITIES,
  READ_ENTITY,
  READ_SNAPSHOT,
  READ_SNAPSHOTS,
  READ_TIMELINE,
  READ_VERSIONED_ENTITIES,
} from './entities.routes';
import { QUERY_DEPS, type QueryDeps } from '../query-deps';
import { readEntities, readEntity } from './read-entity';
import { readSnapshot, readSnapshots } from './read-snapshot';
import { readTimeline } from './read-timeline';
import { readVersionedEntities } from './read-versioned-entities';

/** Reads entities by their urns: `/entitiesV2`, `/entitiesVersionedV2`, and `/entities` in the legacy form. */
@Controller()
export class EntitiesController {
  constructor(@Inject(QUERY_DEPS) private readonly deps: QueryDeps) {}

  @Route(READ_ENTITY)
  readEntity(
    @Parameters() { urn, aspects, asOf }: Input<typeof READ_ENTITY>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    this.noteUnknownAspects(request, aspects);
    return readEntity(this.deps, urn, { aspectNames: aspects, asOf });
  }

  @Route(READ_ENTITIES)
  readEntities(
    @Parameters() { ids, aspects, asOf }: Input<typeof READ_ENTITIES>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    this.noteUnknownAspects(request, aspects);
    return readEntities(this.deps, ids, { aspectNames: aspects, asOf });
  }

  @Route(READ_TIMELINE)
  readTimeline(
    @Parameters() { aspects, ...query }: Input<typeof READ_TIMELINE>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    this.noteUnknownAspects(request, aspects);
    return readTimeline(this.deps, { ...query, aspectNames: aspects });
  }

  @Route(READ_VERSIONED_ENTITIES)
  readVersionedEntities(
    @Parameters() { entityType, ids, aspects }: Input<typeof READ_VERSIONED_ENTITIES>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    this.noteUnknownAspects(request, aspects);
    return readVersionedEntities(this.deps, { entityType, ids, aspectNames: aspects ?? [] });
  }

  @Route(READ_SNAPSHOT)
  readSnapshot(
    @Parameters() { urn, aspects }: Input<typeof READ_SNAPSHOT>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    this.noteUnknownAspects(request, aspects);
    return readSnapshot(this.deps, urn, aspects);
  }

  @Route(READ_SNAPSHOTS)
  readSnapshots(
    @Parameters() { ids, aspects }: Input<typeof READ_SNAPSHOTS>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    this.noteUnknownAspects(request, aspects);
    return readSnapshots(this.deps, ids, aspects);
  }

  /** Aspect names outside the model are ignored and reported. */
  private noteUnknownAspects(request: WireRequest, requested: readonly string[] = []): void {
    const { registry } = this.deps;
    const unknown = collectUnknownNames(request);
    for (const name of requested) {
      if (registry.aspect(name) !== undefined) continue;
      const known = registry.aspects.map((aspect) => aspect.name);
      unknown.note('?aspects=', name, known);
    }
    unknown.settle();
  }
}
