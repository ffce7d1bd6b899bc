import { Controller, Inject, Req } from '@nestjs/common';
import { Action, Administrative, Documented, actionParameters, type WireRequest } from '@stratalog/http';
import { InvalidRequestError, type JsonOutputObject } from '@stratalog/model';
import { INDEX_KINDS, describeIndex, rebuildIndex, type AdminDeps, type IndexKind } from './describe-index';
import { DESCRIBE_INDEX, REBUILD_INDEX } from './indexes.docs';

export const ADMIN_DEPS = Symbol('admin parts');

/** What operators do with indices. */
@Controller()
export class IndexesController {
  constructor(@Inject(ADMIN_DEPS) private readonly parts: AdminDeps) {}

  @Administrative()
  @Documented(REBUILD_INDEX)
  @Action('operations', 'rebuildIndex')
  rebuild(@Req() request: WireRequest): Promise<JsonOutputObject> {
    return rebuildIndex(this.parts, kindIn(request));
  }

  @Administrative()
  @Documented(DESCRIBE_INDEX)
  @Action('operations', 'describeIndex')
  describe(@Req() request: WireRequest): Promise<JsonOutputObject> {
    return describeIndex(this.parts, kindIn(request));
  }
}

function kindIn(request: WireRequest): IndexKind {
  const given = actionParameters(request).requiredString('index');
  const kind = INDEX_KINDS.find((each) => each === given);
  if (kind !== undefined) return kind;
  throw new InvalidRequestError(
    `Parameter 'index' is ${JSON.stringify(given)}, but must be one of ${INDEX_KINDS.join(', ')}`,
  );
}
