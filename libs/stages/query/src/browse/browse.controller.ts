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
import { answerFromIndex } from '../search/answer-from-index';
import { resolveType, resolveTypes } from '../search/resolve-types';
import { toListed } from '../search/to-search';
import { browseEntities } from './browse-entities';
import { browseV2 } from './browse-v2';
import { BROWSE, BROWSE_V2 } from './browse.routes';

/** The actions that follow browse paths. */
@Controller()
export class BrowseController {
  @Inject(PositionedReads) private readonly reads!: PositionedReads;
  @Inject(resolveType) private readonly resolveType!: UseCase<typeof resolveType>;
  @Inject(resolveTypes) private readonly resolveTypes!: UseCase<typeof resolveTypes>;
  @Inject(browseEntities) private readonly browseEntities!: UseCase<typeof browseEntities>;
  @Inject(browseV2) private readonly browseV2!: UseCase<typeof browseV2>;

  @Route(BROWSE)
  browse(
    @Parameters() { entity, filter, searchFlags, ...page }: Input<typeof BROWSE>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const entityType = this.resolveType(entity);
    const filtered = toListed({ filter, searchFlags }, [entityType], request, BROWSE);
    const query = { entityType, ...page, ...filtered };
    return answerFromIndex(this.reads, request, reply, () => this.browseEntities(query));
  }

  @Route(BROWSE_V2)
  browseNewer(
    @Parameters() { entities, filter, searchFlags, ...page }: Input<typeof BROWSE_V2>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const entityTypes = this.resolveTypes(entities);
    const filtered = toListed({ filter, searchFlags }, entityTypes, request, BROWSE_V2);
    const query = { entityTypes, ...page, ...filtered };
    return answerFromIndex(this.reads, request, reply, () => this.browseV2(query));
  }
}
