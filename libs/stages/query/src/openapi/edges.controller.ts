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
import { GRAPH_READS } from '../lineage/lineage.controller';
import { answerFromIndex } from '../search/answer-from-index';
import { resolveTypes } from '../search/resolve-types';
import { SCROLL_EDGES, SCROLL_LINEAGE } from './edges.routes';
import { toSlice } from './openapi-scroll';
import { scrollEdges } from './scroll-edges';
import { toEndUrns } from './to-end-urns';

/** The scrolls of OpenAPI clients over the edges of the graph. */
@Controller()
export class EdgesController {
  @Inject(GRAPH_READS) private readonly reads!: PositionedReads;
  @Inject(resolveTypes) private readonly resolveTypes!: UseCase<typeof resolveTypes>;
  @Inject(scrollEdges) private readonly scrollEdges!: UseCase<typeof scrollEdges>;

  @Route(SCROLL_EDGES)
  scrollAll(
    @Parameters() sent: Input<typeof SCROLL_EDGES>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const { reject } = SCROLL_EDGES;
    const start = {
      types: this.typesOf(sent.sourceTypes),
      urns: toEndUrns(sent.sourceFilter, reject),
    };
    const end = {
      types: this.typesOf(sent.destinationTypes),
      urns: toEndUrns(sent.destinationFilter, reject),
    };
    const [source, destination] = sent.direction === 'OUTGOING' ? [start, end] : [end, start];
    const edges = {
      ...present('relationships', sent.relationshipTypes),
      ...present('sourceTypes', source.types),
      ...present('destinationTypes', destination.types),
      ...(source.urns && { sources: source.urns }),
      ...(destination.urns && { destinations: destination.urns }),
      count: sent.count,
    };
    return answerFromIndex(this.reads, request, reply, () => this.scrollEdges({ edges, ...toScroll(sent) }));
  }

  /** All types where none are named: edges may lead to others than those of the model. */
  private typesOf(names: readonly string[] = []): readonly string[] {
    return names.length === 0 ? [] : this.resolveTypes(names).map(({ name }) => name);
  }

  @Route(SCROLL_LINEAGE)
  scrollLineage(
    @Parameters() { relationshipTypes, urns, count, direction, ...sent }: Input<typeof SCROLL_LINEAGE>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const narrowed = { ...present('relationships', relationshipTypes), ...present('ends', urns) };
    const edges = { ...narrowed, isLineage: true, count } as const;
    return answerFromIndex(this.reads, request, reply, () =>
      this.scrollEdges({ edges, direction, ...toScroll(sent) }),
    );
  }
}

type SentScroll = Pick<
  Input<typeof SCROLL_LINEAGE>,
  'scrollId' | 'pitKeepAlive' | 'includeSoftDelete' | 'sliceId' | 'sliceMax'
>;

function toScroll({ scrollId, pitKeepAlive, includeSoftDelete, ...slice }: SentScroll) {
  return {
    scrollId,
    keepAliveMs: pitKeepAlive,
    includesSoftDeleted: includeSoftDelete,
    ...toSlice(slice),
  };
}

/** A list that narrows a question; the client means all by an empty one. */
function present<Name extends string>(
  name: Name,
  values: readonly string[] = [],
): Partial<Record<Name, readonly string[]>> {
  return values.length === 0 ? {} : ({ [name]: values } as Record<Name, readonly string[]>);
}
