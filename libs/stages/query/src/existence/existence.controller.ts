import { Controller, Inject, Req } from '@nestjs/common';
import { Action, Documented, actionParameters, type WireRequest } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/model';
import { readBrowsePaths, countAspects, entityExists, listUrns } from './check-existence';
import { COUNT_ASPECTS, EXISTS, GET_BROWSE_PATHS, LIST_URNS } from './existence.docs';
import { QUERY_DEPS, type QueryDeps } from '../query-deps';

const MAX_URNS = 10_000;

/** The actions on the existence and number of entities and aspects; they read the store. */
@Controller()
export class ExistenceController {
  constructor(@Inject(QUERY_DEPS) private readonly deps: QueryDeps) {}

  @Documented(EXISTS)
  @Action('entities', 'exists')
  exists(@Req() request: WireRequest): Promise<boolean> {
    const parameters = actionParameters(request);
    const urn = parameters.requiredString('urn');
    return entityExists(this.deps, urn, parameters.optionalBoolean('includeSoftDelete') ?? true);
  }

  @Documented(LIST_URNS)
  @Action('entities', 'listUrns')
  listUrns(@Req() request: WireRequest): Promise<JsonOutputObject> {
    const parameters = actionParameters(request);
    return listUrns(this.deps, {
      entity: parameters.requiredString('entity'),
      start: parameters.requiredInteger('start', { minimum: 0 }),
      count: parameters.requiredInteger('count', { minimum: 0, maximum: MAX_URNS }),
    });
  }

  @Documented(GET_BROWSE_PATHS)
  @Action('entities', 'getBrowsePaths')
  getBrowsePaths(@Req() request: WireRequest): Promise<readonly string[]> {
    return readBrowsePaths(this.deps, actionParameters(request).requiredString('urn'));
  }

  @Documented(COUNT_ASPECTS)
  @Action('aspects', 'getCount')
  getCount(@Req() request: WireRequest): Promise<number> {
    const parameters = actionParameters(request);
    const aspect = parameters.requiredString('aspect');
    return countAspects(this.deps, aspect, parameters.optionalString('urnLike'));
  }
}
