import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  collectUnknownNames,
  type DefinedRoute,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { PositionedReads } from '@stratalog/indexing';
import type { JsonOutput } from '@stratalog/json';
import type { EntityType } from '@stratalog/registry';
import { reportUnknownAspects } from '../entities/report-unknown-aspects';
import { answerFromIndex } from '../search/answer-from-index';
import { resolveType, resolveTypes } from '../search/resolve-types';
import { NO_FLAGS } from '../search/search-flags';
import { toSearch } from '../search/to-search';
import { LIST_OF_TYPE, READ_ONE, SCROLL_LIST } from './entity-list.routes';
import { toSlice } from './openapi-scroll';
import { readOneEntity, scrollEntityList, type ScrollListQuery } from './scroll-entity-list';

type SentScroll = Omit<Input<typeof SCROLL_LIST>, 'entities'>;

/** The reads of OpenAPI clients that search, and that of one entity. */
@Controller()
export class EntityListController {
  @Inject(PositionedReads) private readonly reads!: PositionedReads;
  @Inject(resolveType) private readonly resolveType!: UseCase<typeof resolveType>;
  @Inject(resolveTypes) private readonly resolveTypes!: UseCase<typeof resolveTypes>;
  @Inject(scrollEntityList) private readonly scrollEntityList!: UseCase<typeof scrollEntityList>;
  @Inject(readOneEntity) private readonly readOneEntity!: UseCase<typeof readOneEntity>;
  @Inject(reportUnknownAspects) private readonly reportUnknownAspects!: UseCase<typeof reportUnknownAspects>;

  @Route(LIST_OF_TYPE)
  listOfType(
    @Parameters() { entityType, aspects = [], ...sent }: Input<typeof LIST_OF_TYPE>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const types = [this.resolveType(entityType)];
    this.reportUnknownAspects(collectUnknownNames(request), aspects);
    const query = toListQuery({ ...sent, aspects }, types, request, LIST_OF_TYPE);
    return answerFromIndex(this.reads, request, reply, () => this.scrollEntityList(query));
  }

  @Route(SCROLL_LIST)
  scroll(
    @Parameters() { entities, ...sent }: Input<typeof SCROLL_LIST>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const types = this.resolveTypes(entities);
    this.reportUnknownAspects(collectUnknownNames(request), sent.aspects, '/aspects/');
    const query = toListQuery(sent, types, request, SCROLL_LIST);
    return answerFromIndex(this.reads, request, reply, () => this.scrollEntityList(query));
  }

  @Route(READ_ONE)
  readOne(
    @Parameters() { entityType, urn, aspects = [], systemMetadata }: Input<typeof READ_ONE>,
    @Req() request: WireRequest,
  ): Promise<JsonOutput> {
    this.reportUnknownAspects(collectUnknownNames(request), aspects);
    return this.readOneEntity({ entityType, urn, aspectNames: aspects, withMetadata: systemMetadata });
  }
}

function toListQuery(
  {
    query: input,
    count,
    scrollId,
    pitKeepAlive,
    sort,
    sortCriteria,
    filter,
    includeSoftDelete,
    aspects,
    systemMetadata,
    ...slice
  }: SentScroll,
  types: readonly EntityType[],
  request: WireRequest,
  { reject }: Pick<DefinedRoute, 'reject'>,
): ScrollListQuery {
  const searchFlags = {
    ...NO_FLAGS,
    includeSoftDeleted: includeSoftDelete,
    skipAggregates: true,
    skipHighlighting: true,
  };
  const order = { field: sort, order: 'ASCENDING' } as const;
  const searched = toSearch({ input, searchFlags, filter, sort: order, sortCriteria }, types, request, {
    reject: (path, reason) => reject(path.replace(/^sort\/field/, 'sort'), reason),
  });
  return {
    scroll: { ...searched, count, scrollId, keepAliveMs: pitKeepAlive },
    aspectNames: aspects,
    withMetadata: systemMetadata,
    ...toSlice(slice),
  };
}
