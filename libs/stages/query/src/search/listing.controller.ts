import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  collectUnknownNames,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { PositionedReads } from '@stratalog/indexing';
import type { JsonOutput } from '@stratalog/json';
import { parseFilterAndSort } from '../filters/filter-and-sort';
import { answerFromIndex } from './answer-from-index';
import { resolveType } from './resolve-types';
import { countEntities, countEntitiesOfTypes, listEntities } from './list-entities';
import { COUNT_ENTITIES, COUNT_ENTITIES_OF_TYPES, LIST_ENTITIES } from './listing.routes';
import { toSearchFlags } from './search-flags';

/** The actions that list and count the entities of the search index. */
@Controller()
export class ListingController {
  @Inject(PositionedReads) private readonly reads!: PositionedReads;
  @Inject(resolveType) private readonly resolveType!: UseCase<typeof resolveType>;
  @Inject(listEntities) private readonly listEntities!: UseCase<typeof listEntities>;
  @Inject(countEntities) private readonly countEntities!: UseCase<typeof countEntities>;
  @Inject(countEntitiesOfTypes) private readonly countEntitiesOfTypes!: UseCase<typeof countEntitiesOfTypes>;

  @Route(LIST_ENTITIES)
  list(
    @Parameters() { entity, start, count, ...sent }: Input<typeof LIST_ENTITIES>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const { reject } = LIST_ENTITIES;
    const entityType = this.resolveType(entity);
    const { includesSoftDeleted } = toSearchFlags(sent, {
      mayRelax: false,
      unknown: collectUnknownNames(request),
    });
    const { filter, order, ...named } = parseFilterAndSort(sent, [entityType], reject);
    const query = {
      entityType,
      start,
      count,
      ...(filter === undefined ? {} : { filter }),
      ...(order === undefined ? {} : { order }),
      ...(includesSoftDeleted || named.includesSoftDeleted === true ? { includesSoftDeleted: true } : {}),
    };
    return answerFromIndex(this.reads, request, reply, () => this.listEntities(query));
  }

  @Route(COUNT_ENTITIES)
  count(
    @Parameters() { entity }: Input<typeof COUNT_ENTITIES>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    return answerFromIndex(this.reads, request, reply, () => this.countEntities(entity));
  }

  @Route(COUNT_ENTITIES_OF_TYPES)
  countOfTypes(
    @Parameters() { entities }: Input<typeof COUNT_ENTITIES_OF_TYPES>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    return answerFromIndex(this.reads, request, reply, () => this.countEntitiesOfTypes(entities));
  }
}
