import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  collectUnknownNames,
  setIndexPosition,
  waitForPosition,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { PositionedReads } from '@stratalog/indexing';
import type { JsonOutputObject } from '@stratalog/json';
import { chooseRelationships, reportUnknownRelationships } from './report-unknown-relationships';
import {
  countRelationships,
  readRelatedEntities,
  readRelationships,
  removeRelationships,
} from './read-relationships';
import {
  COUNT_RELATIONSHIPS,
  READ_RELATED,
  READ_RELATIONSHIPS,
  REMOVE_RELATIONSHIPS,
} from './relationships.routes';

/** The routes of `/relationships`. */
@Controller()
export class RelationshipsController {
  @Inject(PositionedReads) private readonly reads!: PositionedReads;
  @Inject(readRelationships) private readonly readRelationships!: UseCase<typeof readRelationships>;
  @Inject(countRelationships) private readonly countRelationships!: UseCase<typeof countRelationships>;
  @Inject(reportUnknownRelationships) private readonly reportUnknownRelationships!: UseCase<
    typeof reportUnknownRelationships
  >;
  @Inject(readRelatedEntities) private readonly readRelatedEntities!: UseCase<typeof readRelatedEntities>;
  @Inject(chooseRelationships) private readonly chooseRelationships!: UseCase<typeof chooseRelationships>;
  @Inject(removeRelationships) private readonly removeRelationships!: UseCase<typeof removeRelationships>;

  @Route(READ_RELATIONSHIPS)
  async read(
    @Parameters() { types, ...query }: Input<typeof READ_RELATIONSHIPS>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutputObject> {
    const relationships = [...new Set(types)];
    this.reportUnknownRelationships(collectUnknownNames(request), relationships);
    const { body, at, lag } = await this.reads.answer(waitForPosition(request), () =>
      this.readRelationships({ ...query, relationships }),
    );
    setIndexPosition(reply, at, lag);
    return body;
  }

  @Route(READ_RELATED)
  async readRelated(
    @Parameters() { relationshipTypes, ...query }: Input<typeof READ_RELATED>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutputObject> {
    const relationships = this.chooseRelationships(collectUnknownNames(request), relationshipTypes);
    const { body, at, lag } = await this.reads.answer(waitForPosition(request), () =>
      this.readRelatedEntities({ ...query, relationships }),
    );
    setIndexPosition(reply, at, lag);
    return body;
  }

  @Route(COUNT_RELATIONSHIPS)
  async count(
    @Parameters() { urn }: Input<typeof COUNT_RELATIONSHIPS>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutputObject> {
    const { body, at, lag } = await this.reads.answer(waitForPosition(request), () =>
      this.countRelationships(urn),
    );
    setIndexPosition(reply, at, lag);
    return body;
  }

  @Route(REMOVE_RELATIONSHIPS)
  async remove(@Parameters() { urn }: Input<typeof REMOVE_RELATIONSHIPS>): Promise<void> {
    await this.removeRelationships(urn);
  }
}
