import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  speaksProtocol2,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { PositionedReads } from '@stratalog/indexing';
import type { JsonOutput } from '@stratalog/model';
import { parseFilterAndSort } from '../filters/filter-and-sort';
import { answerFromIndex } from './answer-from-index';
import { resolveType, resolveTypes } from './resolve-types';
import { scrollEntities } from './scroll-entities';
import { searchEntities } from './search-entities';
import { FILTER, SCROLL, SEARCH } from './search.routes';

const EVERYTHING = '*';

/** The actions that search the index. */
@Controller()
export class SearchController {
  constructor(
    @Inject(PositionedReads) private readonly reads: PositionedReads,
    @Inject(resolveType) private readonly typeNamed: UseCase<typeof resolveType>,
    @Inject(resolveTypes) private readonly typesNamed: UseCase<typeof resolveTypes>,
    @Inject(searchEntities) private readonly runSearch: UseCase<typeof searchEntities>,
    @Inject(scrollEntities) private readonly runScroll: UseCase<typeof scrollEntities>,
  ) {}

  @Route(SEARCH)
  search(
    @Parameters() { entity, input, start, count, ...rest }: Input<typeof SEARCH>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const entityType = this.typeNamed(entity);
    const query = {
      entityType,
      input,
      start,
      count,
      ...parseFilterAndSort(rest, [entityType], SEARCH.reject),
    };
    const entitiesAsObjects = speaksProtocol2(request);
    return answerFromIndex(this.reads, request, reply, () => this.runSearch({ ...query, entitiesAsObjects }));
  }

  @Route(FILTER)
  filter(
    @Parameters() { entity, start, count, ...rest }: Input<typeof FILTER>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const entityType = this.typeNamed(entity);
    const query = { entityType, start, count, ...parseFilterAndSort(rest, [entityType], FILTER.reject) };
    const entitiesAsObjects = speaksProtocol2(request);
    return answerFromIndex(this.reads, request, reply, () =>
      this.runSearch({ ...query, input: EVERYTHING, entitiesAsObjects }),
    );
  }

  @Route(SCROLL)
  scroll(
    @Parameters() { entities, input, count, scrollId, keepAlive, ...rest }: Input<typeof SCROLL>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const entityTypes = this.typesNamed(entities);
    const query = {
      entityTypes,
      input,
      ...parseFilterAndSort(rest, entityTypes, SCROLL.reject),
      count,
      scrollId,
      keepAliveMs: keepAlive,
      entitiesAsObjects: speaksProtocol2(request),
    };
    return answerFromIndex(this.reads, request, reply, () => this.runScroll(query));
  }
}
