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
import type { JsonOutputObject } from '@stratalog/model';
import { QUERY_PARTS, type QueryParts } from './query-parts';
import { SEARCH } from './search.docs';
import { searchEntities } from './search-entities';

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
  async search(
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutputObject> {
    const parameters = actionParameters(request);
    const question = {
      input: parameters.requiredString('input'),
      entity: parameters.requiredString('entity'),
      ...pageOf(parameters),
      entitiesAsObjects: speaksProtocol2(request),
    };
    refuseWhatIsNotThereYet(parameters);
    const wanted = waitForPosition(request);
    if (wanted !== undefined) {
      const { store, positionTimeoutMs } = this.parts;
      await awaitPosition({ store, watch: this.watch }, wanted, positionTimeoutMs);
    }
    const { body, position, lag } = await searchEntities(this.parts, question);
    const { storeId, epoch } = this.parts.store.identity;
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
