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
import type { JsonOutput, JsonOutputObject } from '@stratalog/json';
import { answerFromIndex } from '../search/answer-from-index';
import { resolveType } from '../search/resolve-types';
import { EXPLAIN_SEARCH_QUERY, EXPLAIN_SEARCH_QUERY_DIFF, READ_RAW_DOCUMENTS } from './engine-search.routes';
import type { Explained } from './explain-search';
import { explainSearchQuery, explainSearchQueryDiff } from './explain-search-query';
import { readRawDocuments } from './read-raw-documents';

/**
 * The calls of operators about searches at the OpenAPI addresses of the original.
 *
 * **Source**: `docs/wire-decisions.md`, Operations.
 */
@Controller()
export class EngineSearchController {
  @Inject(PositionedReads) private readonly reads!: PositionedReads;
  @Inject(resolveType) private readonly resolveType!: UseCase<typeof resolveType>;
  @Inject(explainSearchQuery) private readonly explainSearchQuery!: UseCase<typeof explainSearchQuery>;
  @Inject(explainSearchQueryDiff) private readonly explainSearchQueryDiff!: UseCase<
    typeof explainSearchQueryDiff
  >;
  @Inject(readRawDocuments) private readonly readRawDocuments!: UseCase<typeof readRawDocuments>;

  @Route(EXPLAIN_SEARCH_QUERY)
  explain(
    @Parameters() { documentId, ...query }: Input<typeof EXPLAIN_SEARCH_QUERY>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const explained = this.toExplained(documentId, query);
    return answerFromIndex(this.reads, request, reply, () => this.explainSearchQuery(explained));
  }

  @Route(EXPLAIN_SEARCH_QUERY_DIFF)
  async compare(
    @Parameters() { documentIdA, documentIdB, ...query }: Input<typeof EXPLAIN_SEARCH_QUERY_DIFF>,
    @Req() request: WireRequest,
    @Res() reply: WireReply,
  ): Promise<void> {
    const explained = { ...this.toExplained(documentIdA, query), other: documentIdB };
    const text = await answerFromIndex(this.reads, request, reply, () =>
      this.explainSearchQueryDiff(explained),
    );
    void reply.header('content-type', 'text/plain; charset=utf-8').send(text);
  }

  @Route(READ_RAW_DOCUMENTS)
  readRaw(@Parameters() { urns }: Input<typeof READ_RAW_DOCUMENTS>): Promise<JsonOutputObject> {
    return this.readRawDocuments(urns);
  }

  private toExplained(
    documentId: string,
    { query, entityName }: { readonly query: string; readonly entityName: string },
  ): Explained {
    return { urn: documentId, input: query, entityTypes: [this.resolveType(entityName)] };
  }
}
