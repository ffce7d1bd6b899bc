import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  actorOf,
  collectUnknownNames,
  waitForPosition,
  type Input,
  type UseCase,
  type WholeCatalog,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { PositionedReads, type IndexedAnswer } from '@stratalog/indexing';
import type { JsonOutput, JsonOutputObject } from '@stratalog/json';
import { GRAPH_READS } from '../lineage/lineage.controller';
import { answerText } from './answer-text';
import { callRoute } from './call-route';
import { GRAPHQL } from './graphql.routes';
import { ReachedPosition } from './reached-position';

/** The address of the whole catalog, where another process serves writes; `null`: no setting says it; `undefined`: this process does. */
export const WHOLE_CATALOG = Symbol('whole catalog');

/** The reads and changes of GraphQL clients. */
@Controller()
export class GraphqlController {
  @Inject(PositionedReads) private readonly reads!: PositionedReads;
  @Inject(GRAPH_READS) private readonly graphReads!: PositionedReads;
  @Inject(WHOLE_CATALOG) private readonly whole!: WholeCatalog | null | undefined;
  @Inject(answerText) private readonly answerText!: UseCase<typeof answerText>;

  @Route(GRAPHQL)
  answer(
    @Parameters() sent: Input<typeof GRAPHQL>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    // A wrong position is a wrong call, whatever the text asks for.
    waitForPosition(request);
    const reached = new ReachedPosition(reply);
    const answered =
      (reads: PositionedReads) =>
      async (runQuery: () => Promise<IndexedAnswer>): Promise<JsonOutputObject> => {
        const { body, at, lag } = await reads.answer(waitForPosition(request), runQuery);
        reached.reads(at, lag);
        return body as JsonOutputObject;
      };
    const searched = answered(this.reads);
    const followed = (runQuery: () => Promise<IndexedAnswer>) =>
      searched(() => this.graphReads.answer(waitForPosition(request), runQuery));
    const related = answered(this.graphReads);
    const scope = {
      actor: actorOf(request),
      unknown: collectUnknownNames(request),
      searched,
      related,
      followed,
      write: (target: string, body: JsonOutputObject) =>
        callRoute({ request, whole: this.whole, reached }, target, body),
    };
    return this.answerText(sent, scope);
  }
}
