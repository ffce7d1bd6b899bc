import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  setIndexPosition,
  waitForPosition,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import type { PositionedReads } from '@stratalog/indexing';
import type { JsonOutput } from '@stratalog/json';
import { GRAPH_READS } from '../lineage/lineage.controller';
import { READ_ASSERTION_RESULTS } from './assertions.routes';
import { readAssertionResults } from './read-assertion-results';

/** The results of assertions. */
@Controller()
export class AssertionsController {
  @Inject(GRAPH_READS) private readonly reads!: PositionedReads;
  @Inject(readAssertionResults) private readonly readResults!: UseCase<typeof readAssertionResults>;

  @Route(READ_ASSERTION_RESULTS)
  async results(
    @Parameters() { ids }: Input<typeof READ_ASSERTION_RESULTS>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const { body, at, lag } = await this.reads.answer(waitForPosition(request), () => this.readResults(ids));
    setIndexPosition(reply, at, lag);
    return body;
  }
}
