import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  waitForPosition,
  type DefinedRoute,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { PositionedReads, type IndexedAnswer } from '@stratalog/indexing';
import type { JsonOutput } from '@stratalog/json';
import { answerFromIndex } from '../search/answer-from-index';
import { resolveTypes } from '../search/resolve-types';
import { toSearch } from '../search/to-search';
import { describeImpact } from './describe-impact';
import { takeDegrees } from './filter-degrees';
import { toFollowing } from './lineage-parameters';
import { SCROLL_ACROSS_LINEAGE, SEARCH_ACROSS_LINEAGE } from './lineage-search.routes';
import { GRAPH_READS } from './lineage.controller';
import { DESCRIBE_IMPACT } from './lineage.routes';
import { scrollAcrossLineage, searchAcrossLineage, type LineageSearch } from './search-lineage';

type SentLineageSearch = Omit<
  Input<typeof SEARCH_ACROSS_LINEAGE> & Input<typeof SCROLL_ACROSS_LINEAGE>,
  'start' | 'count' | 'scrollId' | 'keepAlive'
>;

/** The calls that join lineage with the search index. */
@Controller()
export class LineageSearchController {
  @Inject(PositionedReads) private readonly reads!: PositionedReads;
  @Inject(GRAPH_READS) private readonly graphReads!: PositionedReads;
  @Inject(resolveTypes) private readonly resolveTypes!: UseCase<typeof resolveTypes>;
  @Inject(searchAcrossLineage) private readonly searchAcrossLineage!: UseCase<typeof searchAcrossLineage>;
  @Inject(scrollAcrossLineage) private readonly scrollAcrossLineage!: UseCase<typeof scrollAcrossLineage>;
  @Inject(describeImpact) private readonly describeImpact!: UseCase<typeof describeImpact>;

  @Route(SEARCH_ACROSS_LINEAGE)
  search(
    @Parameters() { start, count, ...sent }: Input<typeof SEARCH_ACROSS_LINEAGE>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const search = this.toLineageSearch(sent, request, SEARCH_ACROSS_LINEAGE);
    return this.answer(request, reply, () => this.searchAcrossLineage(search, { start, count }));
  }

  @Route(SCROLL_ACROSS_LINEAGE)
  scroll(
    @Parameters() { count, scrollId, keepAlive, ...sent }: Input<typeof SCROLL_ACROSS_LINEAGE>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const search = this.toLineageSearch(sent, request, SCROLL_ACROSS_LINEAGE);
    return this.answer(request, reply, () =>
      this.scrollAcrossLineage(search, { count, scrollId, keepAliveMs: keepAlive }),
    );
  }

  @Route(DESCRIBE_IMPACT)
  impact(
    @Parameters() { urn, includeSoftDeleted, ...sent }: Input<typeof DESCRIBE_IMPACT>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const query = { ...sent, includesSoftDeleted: includeSoftDeleted };
    return this.answer(request, reply, () => this.describeImpact(urn, query));
  }

  private toLineageSearch(
    { urn, entities, filter, ...sent }: SentLineageSearch,
    request: WireRequest,
    { reject }: Pick<DefinedRoute, 'reject'>,
  ): LineageSearch {
    const { filter: rest, degrees } = takeDegrees(filter ?? [], reject);
    const searched = toSearch({ ...sent, filter: rest }, this.resolveTypes(entities), request, { reject });
    return { urn, following: toFollowing(sent), degrees, searched };
  }

  /** Waits for the graph, and then for the search index. */
  private answer(
    request: WireRequest,
    reply: WireReply,
    runQuery: () => Promise<IndexedAnswer>,
  ): Promise<JsonOutput> {
    const graph = waitForPosition(request);
    return answerFromIndex(this.reads, request, reply, () => this.graphReads.answer(graph, runQuery));
  }
}
