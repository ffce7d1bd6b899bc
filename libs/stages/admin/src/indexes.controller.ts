import { Controller, Inject, Req } from '@nestjs/common';
import { Action, Administrative, Documented, actionParameters, type WireRequest } from '@stratalog/http';
import { InvalidRequestError, type JsonOutputObject } from '@stratalog/model';
import { INDEX_KINDS, describeIndex, rebuildIndex, type AdminDeps, type IndexKind } from './describe-index';
import { DESCRIBE_INDEX, REBUILD_INDEX } from './indexes.docs';

export const ADMIN_DEPS = Symbol('admin dependencies');

/** The actions of operators on indices. */
@Controller()
export class IndexesController {
  constructor(@Inject(ADMIN_DEPS) private readonly deps: AdminDeps) {}

  @Administrative()
  @Documented(REBUILD_INDEX)
  @Action('operations', 'rebuildIndex')
  rebuild(@Req() request: WireRequest): Promise<JsonOutputObject> {
    return rebuildIndex(this.deps, readIndexKind(request));
  }

  @Administrative()
  @Documented(DESCRIBE_INDEX)
  @Action('operations', 'describeIndex')
  describe(@Req() request: WireRequest): Promise<JsonOutputObject> {
    return describeIndex(this.deps, readIndexKind(request));
  }
}

function readIndexKind(request: WireRequest): IndexKind {
  const given = actionParameters(request).requiredString('index');
  const kind = INDEX_KINDS.find((each) => each === given);
  if (kind !== undefined) return kind;
  throw new InvalidRequestError(
    `Parameter 'index' is ${JSON.stringify(given)}, but must be one of ${INDEX_KINDS.join(', ')}`,
  );
}
