import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { PositionedReads } from '@stratalog/indexing';
import type { JsonOutput } from '@stratalog/json';
import { answerFromIndex } from './answer-from-index';
import { resolveType, resolveTypes } from './resolve-types';
import { scrollEntities } from './scroll-entities';
import { FILTER, SCROLL, SEARCH, SEARCH_ACROSS } from './search.routes';
import { searchEntities } from './search-entities';
import { toSearch } from './to-search';

const EVERYTHING = '*';

/** The actions that search. */
@Controller()
export class SearchController {
  @Inject(PositionedReads) private readonly reads!: PositionedReads;
  @Inject(resolveType) private readonly resolveType!: UseCase<typeof resolveType>;
  @Inject(resolveTypes) private readonly resolveTypes!: UseCase<typeof resolveTypes>;
  @Inject(searchEntities) private readonly searchEntities!: UseCase<typeof searchEntities>;
  @Inject(scrollEntities) private readonly scrollEntities!: UseCase<typeof scrollEntities>;

  @Route(SEARCH)
  search(
    @Parameters() { entity, start, count, ...sent }: Input<typeof SEARCH>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const types = [this.resolveType(entity)];
    const query = { start, count, ...toSearch(sent, types, request, { ...SEARCH, mayRelax: true }) };
    return answerFromIndex(this.reads, request, reply, () => this.searchEntities(query));
  }

  @Route(SEARCH_ACROSS)
  searchAcross(
    @Parameters() { entities, start, count, ...sent }: Input<typeof SEARCH_ACROSS>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const types = this.resolveTypes(entities);
    const query = { start, count, ...toSearch(sent, types, request, { ...SEARCH_ACROSS, mayRelax: true }) };
    return answerFromIndex(this.reads, request, reply, () => this.searchEntities(query));
  }

  @Route(FILTER)
  filter(
    @Parameters() { entity, start, count, ...sent }: Input<typeof FILTER>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const types = [this.resolveType(entity)];
    const query = { start, count, ...toSearch({ input: EVERYTHING, ...sent }, types, request, FILTER) };
    return answerFromIndex(this.reads, request, reply, () => this.searchEntities(query));
  }

  @Route(SCROLL)
  scroll(
    @Parameters() { entities, count, scrollId, keepAlive, ...sent }: Input<typeof SCROLL>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const types = this.resolveTypes(entities);
    const query = { count, scrollId, keepAliveMs: keepAlive, ...toSearch(sent, types, request, SCROLL) };
    return answerFromIndex(this.reads, request, reply, () => this.scrollEntities(query));
  }
}
