import { Controller, Inject, Req } from '@nestjs/common';
import { Action, Documented, actionParameters, type WireRequest } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/model';
import { browsePathsOf, countAspects, entityExists, listUrns } from './check-existence';
import { COUNT_ASPECTS, EXISTS, GET_BROWSE_PATHS, LIST_URNS } from './existence.docs';
import { QUERY_DEPS, type QueryDeps } from '../query-parts';

const MAX_URNS = 10_000;

/** The actions that ask the store which entities and aspects there are. */
@Controller()
export class ExistenceController {
  constructor(@Inject(QUERY_DEPS) private readonly parts: QueryDeps) {}

  @Documented(EXISTS)
  @Action('entities', 'exists')
  exists(@Req() request: WireRequest): Promise<boolean> {
    const parameters = actionParameters(request);
    const urn = parameters.requiredString('urn');
    return entityExists(this.parts, urn, parameters.optionalBoolean('includeSoftDelete') ?? true);
  }

  @Documented(LIST_URNS)
  @Action('entities', 'listUrns')
  listUrns(@Req() request: WireRequest): Promise<JsonOutputObject> {
    const parameters = actionParameters(request);
    return listUrns(this.parts, {
      entity: parameters.requiredString('entity'),
      start: parameters.requiredInteger('start', { minimum: 0 }),
      count: parameters.requiredInteger('count', { minimum: 0, maximum: MAX_URNS }),
    });
  }

  @Documented(GET_BROWSE_PATHS)
  @Action('entities', 'getBrowsePaths')
  getBrowsePaths(@Req() request: WireRequest): Promise<readonly string[]> {
    return browsePathsOf(this.parts, actionParameters(request).requiredString('urn'));
  }

  @Documented(COUNT_ASPECTS)
  @Action('aspects', 'getCount')
  getCount(@Req() request: WireRequest): Promise<number> {
    const parameters = actionParameters(request);
    const aspect = parameters.requiredString('aspect');
    return countAspects(this.parts, aspect, parameters.optionalString('urnLike'));
  }
}
