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
import { QUERY_DEPS, type QueryDeps } from '../query-parts';
import { readEntities, readEntity, type ReadOptions } from './read-entity';
import { readSnapshot, readSnapshots } from './read-snapshot';
import { readTimeline } from './read-timeline';
import { readVersionedEntities } from './read-versioned-entities';

const DEFAULT_CHANGES = 20;
const MAX_CHANGES = 100;

/** Entities by their urns: `/entitiesV2`, `/entitiesVersionedV2`, and `/entities` in the legacy form. */
@Controller()
export class EntitiesController {
  constructor(@Inject(QUERY_DEPS) private readonly parts: QueryDeps) {}

  @Documented(READ_ENTITY)
  @Get('entitiesV2/:urn')
  readEntity(@Req() request: WireRequest): Promise<JsonOutputObject> {
    return readEntity(this.parts, urnOf(request), this.readOptions(request));
  }

  @Documented(READ_ENTITIES)
  @Get('entitiesV2')
  readEntities(@Req() request: WireRequest): Promise<JsonOutputObject> {
    const query = queryParameters(request);
    return readEntities(this.parts, query.requiredList('ids'), this.readOptions(request));
  }

  @Documented(READ_TIMELINE)
  @Get('entitiesV2/:urn/timeline')
  readTimeline(@Req() request: WireRequest): Promise<JsonOutputObject> {
    const query = queryParameters(request);
    return readTimeline(this.parts, {
      urn: urnOf(request),
      aspectNames: this.aspectsOf(request),
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
    return readVersionedEntities(this.parts, {
      entityType: query.required('entityType'),
      ids: query.requiredList('ids'),
      aspectNames: this.aspectsOf(request) ?? [],
    });
  }

  @Documented(READ_SNAPSHOT)
  @Get('entities/:urn')
  readSnapshot(@Req() request: WireRequest): Promise<JsonOutputObject> {
    return readSnapshot(this.parts, urnOf(request), this.aspectsOf(request));
  }

  @Documented(READ_SNAPSHOTS)
  @Get('entities')
  readSnapshots(@Req() request: WireRequest): Promise<JsonOutputObject> {
    const query = queryParameters(request);
    return readSnapshots(this.parts, query.requiredList('ids'), this.aspectsOf(request));
  }

  private readOptions(request: WireRequest): ReadOptions {
    return {
      aspectNames: this.aspectsOf(request),
      asOf: queryParameters(request).optionalLong('asOf', { minimum: 0 }),
    };
  }

  /** The aspects that are asked for. Names that the model does not have are passed over, and told. */
  private aspectsOf(request: WireRequest): readonly string[] | undefined {
    const { registry } = this.parts;
    const asked = queryParameters(request).list('aspects');
    const unknown = collectUnknownNames(request);
    for (const name of asked ?? []) {
      if (registry.aspect(name) !== undefined) continue;
      const known = registry.aspects.map((aspect) => aspect.name);
      unknown.note('?aspects=', name, known);
    }
    unknown.settle();
    return asked;
  }
}
