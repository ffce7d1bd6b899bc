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
import { QUERY_DEPS, type QueryDeps } from '../query-parts';
import { countEntities, countEntitiesOfTypes, listEntities, type IndexListQuery } from './list-entities';
import { COUNT_ENTITIES, COUNT_ENTITIES_OF_TYPES, LIST_ENTITIES } from './listing.docs';
import { parseFilterAndSort } from '../filters/filter-and-sort';
import { scrollEntities } from './scroll-entities';
import { FILTER, SCROLL, SEARCH } from './search.docs';
import { searchEntities, type IndexAnswer } from './search-entities';

/** Every engine can page this far and no further. */
const SEARCH_WINDOW = 10_000;
const EVERYTHING = '*';
const DEFAULT_KEEP_ALIVE = '5m';

/** The actions that ask the search index. */
@Controller()
export class SearchController {
  private readonly watch: CheckpointPoller;

  constructor(@Inject(QUERY_DEPS) private readonly parts: QueryDeps) {
    this.watch = new CheckpointPoller('search index', parts.searchIndexes);
  }

  @Documented(SEARCH)
  @Action('entities', 'search')
  search(@Req() request: WireRequest, @Res({ passthrough: true }) reply: WireReply): Promise<JsonOutput> {
    const parameters = actionParameters(request);
    const input = parameters.requiredText('input', MAX_QUERY_TEXT_BYTES);
    const question = { input, ...this.questionOf(parameters), entitiesAsObjects: speaksProtocol2(request) };
    return this.answer(request, reply, () => searchEntities(this.parts, question));
  }

  @Documented(FILTER)
  @Action('entities', 'filter')
  filter(@Req() request: WireRequest, @Res({ passthrough: true }) reply: WireReply): Promise<JsonOutput> {
    const parameters = actionParameters(request);
    parameters.requiredObject('filter');
    const question = {
      input: EVERYTHING,
      ...this.questionOf(parameters),
      entitiesAsObjects: speaksProtocol2(request),
    };
    return this.answer(request, reply, () => searchEntities(this.parts, question));
  }

  @Documented(SCROLL)
  @Action('entities', 'scrollAcrossEntities')
  scroll(@Req() request: WireRequest, @Res({ passthrough: true }) reply: WireReply): Promise<JsonOutput> {
    const parameters = actionParameters(request);
    const { registry } = this.parts;
    const names = new Set(parameters.optionalStringList('entities') ?? []);
    const entityTypes =
      names.size === 0 ? registry.entityTypes : [...names].map((name) => entityTypeNamed(registry, name));
    const question = {
      entityTypes,
      input: parameters.requiredText('input', MAX_QUERY_TEXT_BYTES),
      ...parseFilterAndSort(parameters, entityTypes),
      count: parameters.requiredInteger('count', { minimum: 1, maximum: SEARCH_WINDOW }),
      scrollId: parameters.optionalString('scrollId'),
      keepAliveMs: keepAliveOf(parameters),
      entitiesAsObjects: speaksProtocol2(request),
    };
    return this.answer(request, reply, () => scrollEntities(this.parts, question));
  }

  @Documented(LIST_ENTITIES)
  @Action('entities', 'list')
  list(@Req() request: WireRequest, @Res({ passthrough: true }) reply: WireReply): Promise<JsonOutput> {
    const question = this.questionOf(actionParameters(request));
    return this.answer(request, reply, () => listEntities(this.parts, question));
  }

  @Documented(COUNT_ENTITIES)
  @Action('entities', 'getTotalEntityCount')
  count(@Req() request: WireRequest, @Res({ passthrough: true }) reply: WireReply): Promise<JsonOutput> {
    const entity = actionParameters(request).requiredString('entity');
    return this.answer(request, reply, () => countEntities(this.parts, entity));
  }

  @Documented(COUNT_ENTITIES_OF_TYPES)
  @Action('entities', 'batchGetTotalEntityCount')
  countOfTypes(
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const entities = actionParameters(request).requiredStringList('entities');
    return this.answer(request, reply, () => countEntitiesOfTypes(this.parts, entities));
  }

  /** What all questions about one entity type say: which page, and what it is narrowed to and ordered by. */
  private questionOf(parameters: ActionParameters): IndexListQuery {
    const entity = parameters.requiredString('entity');
    const page = toPage(parameters);
    const entityType = entityTypeNamed(this.parts.registry, entity);
    return { entityType, ...page, ...parseFilterAndSort(parameters, [entityType]) };
  }

  /** Waits for the position that the caller wants to be included, asks the index, and says how new it was. */
  private async answer(
    request: WireRequest,
    reply: WireReply,
    ask: () => Promise<IndexAnswer>,
  ): Promise<JsonOutput> {
    const { store, positionTimeoutMs } = this.parts;
    const wanted = waitForPosition(request);
    if (wanted !== undefined) await awaitPosition({ store, poller: this.watch }, wanted, positionTimeoutMs);
    const { body, position, lag } = await ask();
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
/** The form of the original's engine, and its limit. */
const MAX_KEEP_ALIVE_MS = 86_400_000;

function keepAliveOf(parameters: ActionParameters): number {
  const text = parameters.optionalString('keepAlive') ?? DEFAULT_KEEP_ALIVE;
  const [, digits, unit = ''] = KEEP_ALIVE.exec(text) ?? [];
  const keepAliveMs = Number(digits) * (UNIT_MS[unit] ?? NaN);
  return keepAliveMs > 0 && keepAliveMs <= MAX_KEEP_ALIVE_MS
    ? keepAliveMs
    : parameters.reject('keepAlive', `"${text.slice(0, 100)}" is not a time of up to 1d, like 5m`);
}
