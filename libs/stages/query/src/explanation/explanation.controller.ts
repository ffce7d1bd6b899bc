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
import { entityTypeIn } from '@stratalog/domain';
import type { JsonOutput } from '@stratalog/json';
import { answerFromIndex } from '../search/answer-from-index';
import { resolveType } from '../search/resolve-types';
import { explainSearch } from './explain-search';
import { EXPLAIN_SEARCH } from './explanation.routes';

/** The call that explains a search. */
@Controller()
export class ExplanationController {
  @Inject(PositionedReads) private readonly reads!: PositionedReads;
  @Inject(resolveType) private readonly resolveType!: UseCase<typeof resolveType>;
  @Inject(explainSearch) private readonly explainSearch!: UseCase<typeof explainSearch>;

  @Route(EXPLAIN_SEARCH)
  explain(
    @Parameters() { urn, query, entity }: Input<typeof EXPLAIN_SEARCH>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const type = this.resolveType(entity ?? entityTypeIn(urn));
    const explained = { urn, input: query, entityTypes: [type] };
    return answerFromIndex(this.reads, request, reply, () => this.explainSearch(explained));
  }
}
