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
import type { PositionedReads } from '@stratalog/indexing';
import { SVG_STYLE_SOURCE } from '@stratalog/lineage';
import { LINEAGE_DIRECTIONS } from '@stratalog/domain';
import { drawLineage, type PictureFormat } from './draw-lineage';
import { GRAPH_READS } from './lineage.controller';
import { DRAW_LINEAGE } from './picture.routes';

const CONTENT_TYPES: Readonly<Record<PictureFormat, string>> = {
  svg: 'image/svg+xml',
  mmd: 'text/vnd.mermaid; charset=utf-8',
  dot: 'text/vnd.graphviz; charset=utf-8',
  json: 'application/json',
};
/** Permits the picture's own style sheet: nothing else is loaded, and no script runs. */
const HEADERS = {
  'content-security-policy': `default-src 'none'; style-src ${SVG_STYLE_SOURCE}; frame-ancestors 'none'`,
};

/** Pictures of lineage. */
@Controller()
export class PictureController {
  @Inject(GRAPH_READS) private readonly reads!: PositionedReads;
  @Inject(drawLineage) private readonly drawLineage!: UseCase<typeof drawLineage>;

  @Route(DRAW_LINEAGE)
  async picture(
    @Parameters()
    { urn: { urn, format }, direction, columns, includeSoftDeleted, ...sent }: Input<typeof DRAW_LINEAGE>,
    @Req() request: WireRequest,
    @Res() reply: WireReply,
  ): Promise<void> {
    const directions = direction === undefined ? LINEAGE_DIRECTIONS : [direction];
    const query = { urn, directions, hasColumns: columns, includesSoftDeleted: includeSoftDeleted, ...sent };
    const answer = await this.reads.answer(waitForPosition(request), () => this.drawLineage(query, format));
    setIndexPosition(reply, answer.at, answer.lag);
    sendContent(request, reply, toContent(CONTENT_TYPES[format], answer.body, HEADERS));
  }
}
