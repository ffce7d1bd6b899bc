import { Controller, Get, Inject, Req } from '@nestjs/common';
import { Documented, queryParameters, collectUnknownNames, urnOf, type WireRequest } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/model';
import {
  READ_ENTITIES,
  READ_ENTITY,
  READ_SNAPSHOT,
  READ_SNAPSHOTS,
  READ_TIMELINE,
  READ_VERSIONED_ENTITIES,
} from './entities.docs';
import { QUERY_DEPS, type QueryDeps } from '../query-deps';
import { readEntities, readEntity, type ReadOptions } from './read-entity';
import { readSnapshot, readSnapshots } from './read-snapshot';
import { readTimeline } from './read-timeline';
import { readVersionedEntities } from './read-versioned-entities';

const DEFAULT_CHANGES = 20;
const MAX_CHANGES = 100;

/** Reads entities by their urns: `/entitiesV2`, `/entitiesVersionedV2`, and `/entities` in the legacy form. */
@Controller()
export class EntitiesController {
  constructor(@Inject(QUERY_DEPS) private readonly deps: QueryDeps) {}

  @Documented(READ_ENTITY)
  @Get('entitiesV2/:urn')
  readEntity(@Req() request: WireRequest): Promise<JsonOutputObject> {
    return readEntity(this.deps, urnOf(request), this.readOptions(request));
  }

  @Documented(READ_ENTITIES)
  @Get('entitiesV2')
  readEntities(@Req() request: WireRequest): Promise<JsonOutputObject> {
    const query = queryParameters(request);
    return readEntities(this.deps, query.requiredList('ids'), this.readOptions(request));
  }

  @Documented(READ_TIMELINE)
  @Get('entitiesV2/:urn/timeline')
  readTimeline(@Req() request: WireRequest): Promise<JsonOutputObject> {
    const query = queryParameters(request);
    return readTimeline(this.deps, {
      urn: urnOf(request),
      aspectNames: this.readAspectNames(request),
      startTime: query.optionalLong('startTime', { minimum: 0 }),
      endTime: query.optionalLong('endTime', { minimum: 0 }),
      count: query.optionalInteger('count', { minimum: 1, maximum: MAX_CHANGES }) ?? DEFAULT_CHANGES,
      cursor: query.optionalInteger('cursor', { minimum: 1 }),
    });
  }

  @Documented(READ_VERSIONED_ENTITIES)
  @Get('entitiesVersionedV2')
  readVersionedEntities(@Req() request: WireRequest): Promise<JsonOutputObject> {
    const query = queryParameters(request);
    return readVersionedEntities(this.deps, {
      entityType: query.required('entityType'),
      ids: query.requiredList('ids'),
      aspectNames: this.readAspectNames(request) ?? [],
    });
  }

  @Documented(READ_SNAPSHOT)
  @Get('entities/:urn')
  readSnapshot(@Req() request: WireRequest): Promise<JsonOutputObject> {
    return readSnapshot(this.deps, urnOf(request), this.readAspectNames(request));
  }

  @Documented(READ_SNAPSHOTS)
  @Get('entities')
  readSnapshots(@Req() request: WireRequest): Promise<JsonOutputObject> {
    const query = queryParameters(request);
    return readSnapshots(this.deps, query.requiredList('ids'), this.readAspectNames(request));
  }

  private readOptions(request: WireRequest): ReadOptions {
    return {
      aspectNames: this.readAspectNames(request),
      asOf: queryParameters(request).optionalLong('asOf', { minimum: 0 }),
    };
  }

  /** Reads the requested aspect names. Names outside the model are ignored and reported. */
  private readAspectNames(request: WireRequest): readonly string[] | undefined {
    const { registry } = this.deps;
    const requested = queryParameters(request).list('aspects');
    const unknown = collectUnknownNames(request);
    for (const name of requested ?? []) {
      if (registry.aspect(name) !== undefined) continue;
      const known = registry.aspects.map((aspect) => aspect.name);
      unknown.note('?aspects=', name, known);
    }
    unknown.settle();
    return requested;
  }
}
