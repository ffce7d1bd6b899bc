import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  sendContent,
  setIndexPosition,
  toContent,
  waitForPosition,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { PositionedReads } from '@stratalog/indexing';
import { stringifyJson } from '@stratalog/json';
import { formatCsv } from './format-csv';
import { listTestResults } from './list-test-results';
import { LIST_TEST_RESULTS } from './test-results.routes';

const CONTENT_TYPES = { json: 'application/json', csv: 'text/csv; charset=utf-8' } as const;

/** Results of metadata tests. */
@Controller()
export class TestResultsController {
  @Inject(PositionedReads) private readonly reads!: PositionedReads;
  @Inject(listTestResults) private readonly listTestResults!: UseCase<typeof listTestResults>;

  @Route(LIST_TEST_RESULTS)
  async list(
    @Parameters() { urn, format, ...query }: Input<typeof LIST_TEST_RESULTS>,
    @Req() request: WireRequest,
    @Res() reply: WireReply,
  ): Promise<void> {
    const { body, at, lag } = await this.reads.answer(waitForPosition(request), () =>
      this.listTestResults(urn, query),
    );
    setIndexPosition(reply, at, lag);
    const isCsv = format === 'csv';
    const headers = isCsv && body.next !== undefined ? { 'x-stratalog-next': body.next } : {};
    const text = isCsv ? formatCsv(body.results) : stringifyJson(body);
    sendContent(request, reply, toContent(CONTENT_TYPES[format], text, headers));
  }
}
