import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  setIndexPosition,
  speaksProtocol2,
  waitForPosition,
  type DefinedRoute,
  type Input,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { CheckpointPoller, awaitPosition } from '@stratalog/indexing';
import type { JsonOutput } from '@stratalog/model';
import { entityTypeNamed } from '@stratalog/registry';
import { QUERY_DEPS, type QueryDeps } from '../query-deps';
import { countEntities, countEntitiesOfTypes, listEntities, type IndexListQuery } from './list-entities';
import { COUNT_ENTITIES, COUNT_ENTITIES_OF_TYPES, LIST_ENTITIES } from './listing.routes';
import { parseFilterAndSort } from '../filters/filter-and-sort';
import { scrollEntities } from './scroll-entities';
import { FILTER, SCROLL, SEARCH } from './search.routes';
import { searchEntities, type IndexAnswer } from './search-entities';

const EVERYTHING = '*';

/** The actions that query the search index. */
@Controller()
export class SearchController {
  private readonly watch: CheckpointPoller;

  constructor(@Inject(QUERY_DEPS) private readonly deps: QueryDeps) {
    this.watch = new CheckpointPoller('search index', deps.searchIndexes);
  }

  @Route(SEARCH)
  search(
    @Parameters() { input, ...list }: Input<typeof SEARCH>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const query = { input, ...this.toListQuery(list, SEARCH), entitiesAsObjects: speaksProtocol2(request) };
    return this.answer(request, reply, () => searchEntities(this.deps, query));
  }

  @Route(FILTER)
  filter(
    @Parameters() list: Input<typeof FILTER>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const query = {
      input: EVERYTHING,
      ...this.toListQuery(list, FILTER),
      entitiesAsObjects: speaksProtocol2(request),
    };
    return this.answer(request, reply, () => searchEntities(this.deps, query));
  }

  @Route(SCROLL)
  scroll(
    @Parameters() { entities, input, count, scrollId, keepAlive, ...rest }: Input<typeof SCROLL>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const { registry } = this.deps;
    const names = new Set(entities ?? []);
    const entityTypes =
      names.size === 0 ? registry.entityTypes : [...names].map((name) => entityTypeNamed(registry, name));
    const query = {
      entityTypes,
      input,
      ...parseFilterAndSort(rest, entityTypes, SCROLL.reject),
      count,
      scrollId,
      keepAliveMs: keepAlive,
      entitiesAsObjects: speaksProtocol2(request),
    };
    return this.answer(request, reply, () => scrollEntities(this.deps, query));
  }

  @Route(LIST_ENTITIES)
  list(
    @Parameters() list: Input<typeof LIST_ENTITIES>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const query = this.toListQuery(list, LIST_ENTITIES);
    return this.answer(request, reply, () => listEntities(this.deps, query));
  }

  @Route(COUNT_ENTITIES)
  count(
    @Parameters() { entity }: Input<typeof COUNT_ENTITIES>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    return this.answer(request, reply, () => countEntities(this.deps, entity));
  }

  @Route(COUNT_ENTITIES_OF_TYPES)
  countOfTypes(
    @Parameters() { entities }: Input<typeof COUNT_ENTITIES_OF_TYPES>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    return this.answer(request, reply, () => countEntitiesOfTypes(this.deps, entities));
  }

  /** Resolves the parameters that all queries on one entity type share: page, filter and order. */
  private toListQuery(
    { entity, start, count, ...filterAndSort }: Input<typeof LIST_ENTITIES>,
    { reject }: Pick<DefinedRoute, 'reject'>,
  ): IndexListQuery {
    const entityType = entityTypeNamed(this.deps.registry, entity);
    return { entityType, start, count, ...parseFilterAndSort(filterAndSort, [entityType], reject) };
  }

  /** Waits for the requested position, queries the index, and sets the position headers. */
  private async answer(
    request: WireRequest,
    reply: WireReply,
    runQuery: () => Promise<IndexAnswer>,
  ): Promise<JsonOutput> {
    const { store, positionTimeoutMs } = this.deps;
    const wanted = waitForPosition(request);
    if (wanted !== undefined) await awaitPosition({ store, poller: this.watch }, wanted, positionTimeoutMs);
    const { body, position, lag } = await runQuery();
    const { storeId, epoch } = store.identity;
    setIndexPosition(reply, { storeId, epoch, seqs: position }, lag);
    return body;
  }
}
