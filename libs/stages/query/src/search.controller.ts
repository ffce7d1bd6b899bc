import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Action,
  Documented,
  actionParameters,
  setIndexPosition,
  speaksProtocol2,
  waitForPosition,
  type ActionParameters,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { IndexPositionWatch, awaitPosition } from '@stratalog/indexing';
import type { JsonOutput } from '@stratalog/model';
import { QUERY_PARTS, type QueryParts } from './query-parts';
import { countEntities, countEntitiesOfTypes, listEntities } from './list-entities';
import { COUNT_ENTITIES, COUNT_ENTITIES_OF_TYPES, LIST_ENTITIES } from './look-up.docs';
import { SEARCH } from './search.docs';
import { searchEntities, type IndexAnswer } from './search-entities';

/** Every engine can page this far and no further. */
const SEARCH_WINDOW = 10_000;

/** The actions that ask the search index. */
@Controller()
export class SearchController {
  private readonly watch: IndexPositionWatch;

  constructor(@Inject(QUERY_PARTS) private readonly parts: QueryParts) {
    this.watch = new IndexPositionWatch('search index', parts.searchIndexes);
  }

  @Documented(SEARCH)
  @Action('entities', 'search')
  search(@Req() request: WireRequest, @Res({ passthrough: true }) reply: WireReply): Promise<JsonOutput> {
    const parameters = actionParameters(request);
    const question = {
      input: parameters.requiredString('input'),
      entity: parameters.requiredString('entity'),
      ...pageOf(parameters),
      entitiesAsObjects: speaksProtocol2(request),
    };
    refuseWhatIsNotThereYet(parameters);
    return this.answer(request, reply, () => searchEntities(this.parts, question));
  }

  @Documented(LIST_ENTITIES)
  @Action('entities', 'list')
  list(@Req() request: WireRequest, @Res({ passthrough: true }) reply: WireReply): Promise<JsonOutput> {
    const parameters = actionParameters(request);
    const question = { entity: parameters.requiredString('entity'), ...pageOf(parameters) };
    refuseWhatIsNotThereYet(parameters);
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

  /** Waits for the position that the caller wants to be included, asks the index, and says how new it was. */
  private async answer(
    request: WireRequest,
    reply: WireReply,
    ask: () => Promise<IndexAnswer>,
  ): Promise<JsonOutput> {
    const { store, positionTimeoutMs } = this.parts;
    const wanted = waitForPosition(request);
    if (wanted !== undefined) await awaitPosition({ store, watch: this.watch }, wanted, positionTimeoutMs);
    const { body, position, lag } = await ask();
    const { storeId, epoch } = store.identity;
    setIndexPosition(reply, { storeId, epoch, seqs: position }, lag);
    return body;
  }
}

function pageOf(parameters: ActionParameters): { readonly start: number; readonly count: number } {
  const start = parameters.requiredInteger('start', { minimum: 0, maximum: SEARCH_WINDOW });
  const count = parameters.requiredInteger('count', { minimum: 0, maximum: SEARCH_WINDOW });
  if (start + count > SEARCH_WINDOW) {
    parameters.refuse(
      'count',
      `start + count is ${String(start + count)}, but must not exceed ${String(SEARCH_WINDOW)}`,
    );
  }
  return { start, count };
}

/** Parameters that change what is found: passing over them would answer another question. */
function refuseWhatIsNotThereYet(parameters: ActionParameters): void {
  const criteria = Object.values(parameters.optionalObject('filter') ?? {});
  if (criteria.some((list) => Array.isArray(list) && list.length > 0)) {
    parameters.refuse('filter', 'is not supported yet');
  }
  if (parameters.optionalObject('sort') !== undefined) parameters.refuse('sort', 'is not supported yet');
  if ((parameters.optionalList('sortCriteria') ?? []).length > 0) {
    parameters.refuse('sortCriteria', 'is not supported yet');
  }
}
