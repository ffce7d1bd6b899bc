import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import type { PositionedReads } from '@stratalog/indexing';
import type { JsonOutput } from '@stratalog/json';
import { answerFromIndex } from '../search/answer-from-index';
import { diffLineage } from './diff-lineage';
import { DIFF_LINEAGE } from './diff.routes';
import { getLineage, getLineageOfEach } from './get-lineage';
import { toFollowing } from './lineage-parameters';
import { BATCH_GET_LINEAGE, GET_LINEAGE } from './lineage.routes';

/** The token of the reads that wait for the graph. */
export const GRAPH_READS = Symbol('reads of the graph');

/** The calls that follow lineage over several hops, now and in the past. */
@Controller()
export class LineageController {
  @Inject(GRAPH_READS) private readonly reads!: PositionedReads;
  @Inject(getLineage) private readonly getLineage!: UseCase<typeof getLineage>;
  @Inject(getLineageOfEach) private readonly getLineageOfEach!: UseCase<typeof getLineageOfEach>;
  @Inject(diffLineage) private readonly diffLineage!: UseCase<typeof diffLineage>;

  @Route(GET_LINEAGE)
  lineage(
    @Parameters() { urn, start, count, asOf, ...sent }: Input<typeof GET_LINEAGE>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const query = { following: toFollowing(sent), start, count, asOf };
    return answerFromIndex(this.reads, request, reply, () => this.getLineage(urn, query));
  }

  @Route(BATCH_GET_LINEAGE)
  lineageOfEach(
    @Parameters() { urns, start, count, asOf, ...sent }: Input<typeof BATCH_GET_LINEAGE>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const query = { following: toFollowing(sent), start, count, asOf };
    return answerFromIndex(this.reads, request, reply, () => this.getLineageOfEach(urns, query));
  }

  @Route(DIFF_LINEAGE)
  diff(
    @Parameters() { urn, includeSoftDeleted, ...sent }: Input<typeof DIFF_LINEAGE>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const query = { ...sent, includesSoftDeleted: includeSoftDeleted };
    return answerFromIndex(this.reads, request, reply, () => this.diffLineage(urn, query));
  }
}
