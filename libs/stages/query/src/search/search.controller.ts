import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Action,
  Documented,
  MAX_QUERY_TEXT_BYTES,
  actionParameters,
  setIndexPosition,
  speaksProtocol2,
  waitForPosition,
  type ActionParameters,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { CheckpointPoller, awaitPosition } from '@stratalog/indexing';
import type { JsonOutput } from '@stratalog/model';
import { entityTypeNamed } from '@stratalog/registry';
import { QUERY_DEPS, type QueryDeps } from '../query-deps';
import { countEntities, countEntitiesOfTypes, listEntities, type IndexListQuery } from './list-entities';
import { COUNT_ENTITIES, COUNT_ENTITIES_OF_TYPES, LIST_ENTITIES } from './listing.docs';
import { parseFilterAndSort } from '../filters/filter-and-sort';
import { scrollEntities } from './scroll-entities';
import { FILTER, SCROLL, SEARCH } from './search.docs';
import { searchEntities, type IndexAnswer } from './search-entities';

/** Deepest page of every engine, in hits. */
const SEARCH_WINDOW = 10_000;
const EVERYTHING = '*';
const DEFAULT_KEEP_ALIVE = '5m';

/** The actions that query the search index. */
@Controller()
export class SearchController {
  private readonly watch: CheckpointPoller;

  constructor(@Inject(QUERY_DEPS) private readonly deps: QueryDeps) {
    this.watch = new CheckpointPoller('search index', deps.searchIndexes);
  }

  @Documented(SEARCH)
  @Action('entities', 'search')
  search(@Req() request: WireRequest, @Res({ passthrough: true }) reply: WireReply): Promise<JsonOutput> {
    const parameters = actionParameters(request);
    const input = parameters.requiredText('input', MAX_QUERY_TEXT_BYTES);
    const query = { input, ...this.parseListQuery(parameters), entitiesAsObjects: speaksProtocol2(request) };
    return this.answer(request, reply, () => searchEntities(this.deps, query));
  }

  @Documented(FILTER)
  @Action('entities', 'filter')
  filter(@Req() request: WireRequest, @Res({ passthrough: true }) reply: WireReply): Promise<JsonOutput> {
    const parameters = actionParameters(request);
    parameters.requiredObject('filter');
    const query = {
      input: EVERYTHING,
      ...this.parseListQuery(parameters),
      entitiesAsObjects: speaksProtocol2(request),
    };
    return this.answer(request, reply, () => searchEntities(this.deps, query));
  }

  @Documented(SCROLL)
  @Action('entities', 'scrollAcrossEntities')
  scroll(@Req() request: WireRequest, @Res({ passthrough: true }) reply: WireReply): Promise<JsonOutput> {
    const parameters = actionParameters(request);
    const { registry } = this.deps;
    const names = new Set(parameters.optionalStringList('entities') ?? []);
    const entityTypes =
      names.size === 0 ? registry.entityTypes : [...names].map((name) => entityTypeNamed(registry, name));
    const query = {
      entityTypes,
      input: parameters.requiredText('input', MAX_QUERY_TEXT_BYTES),
      ...parseFilterAndSort(parameters, entityTypes),
      count: parameters.requiredInteger('count', { minimum: 1, maximum: SEARCH_WINDOW }),
      scrollId: parameters.optionalString('scrollId'),
      keepAliveMs: parseKeepAlive(parameters),
      entitiesAsObjects: speaksProtocol2(request),
    };
    return this.answer(request, reply, () => scrollEntities(this.deps, query));
  }

  @Documented(LIST_ENTITIES)
  @Action('entities', 'list')
  list(@Req() request: WireRequest, @Res({ passthrough: true }) reply: WireReply): Promise<JsonOutput> {
    const query = this.parseListQuery(actionParameters(request));
    return this.answer(request, reply, () => listEntities(this.deps, query));
  }

  @Documented(COUNT_ENTITIES)
  @Action('entities', 'getTotalEntityCount')
  count(@Req() request: WireRequest, @Res({ passthrough: true }) reply: WireReply): Promise<JsonOutput> {
    const entity = actionParameters(request).requiredString('entity');
    return this.answer(request, reply, () => countEntities(this.deps, entity));
  }

  @Documented(COUNT_ENTITIES_OF_TYPES)
  @Action('entities', 'batchGetTotalEntityCount')
  countOfTypes(
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const entities = actionParameters(request).requiredStringList('entities');
    return this.answer(request, reply, () => countEntitiesOfTypes(this.deps, entities));
  }

  /** Parses the parameters that all queries on one entity type share: page, filter and order. */
  private parseListQuery(parameters: ActionParameters): IndexListQuery {
    const entity = parameters.requiredString('entity');
    const page = toPage(parameters);
    const entityType = entityTypeNamed(this.deps.registry, entity);
    return { entityType, ...page, ...parseFilterAndSort(parameters, [entityType]) };
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

function toPage(parameters: ActionParameters): { readonly start: number; readonly count: number } {
  const start = parameters.requiredInteger('start', { minimum: 0, maximum: SEARCH_WINDOW });
  const count = parameters.requiredInteger('count', { minimum: 0, maximum: SEARCH_WINDOW });
  if (start + count > SEARCH_WINDOW) {
    parameters.reject(
      'count',
      `start + count is ${String(start + count)}, but must not exceed ${String(SEARCH_WINDOW)}`,
    );
  }
  return { start, count };
}

const KEEP_ALIVE = /^(\d{1,9})(ms|s|m|h|d)$/;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Longest lifetime, as in the original's engine. */
const MAX_KEEP_ALIVE_MS = 86_400_000;

function parseKeepAlive(parameters: ActionParameters): number {
  const text = parameters.optionalString('keepAlive') ?? DEFAULT_KEEP_ALIVE;
  const [, digits, unit = ''] = KEEP_ALIVE.exec(text) ?? [];
  const keepAliveMs = Number(digits) * (UNIT_MS[unit] ?? NaN);
  return keepAliveMs > 0 && keepAliveMs <= MAX_KEEP_ALIVE_MS
    ? keepAliveMs
    : parameters.reject('keepAlive', `"${text.slice(0, 100)}" is not a time of up to 1d, like 5m`);
}
