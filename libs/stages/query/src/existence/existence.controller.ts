import { Controller, Inject } from '@nestjs/common';
import { Parameters, Route, type Input } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/model';
import { readBrowsePaths, countAspects, entityExists, listUrns } from './check-existence';
import { COUNT_ASPECTS, EXISTS, GET_BROWSE_PATHS, LIST_URNS } from './existence.routes';
import { QUERY_DEPS, type QueryDeps } from '../query-deps';

/** The actions on the existence and number of entities and aspects; they read the store. */
@Controller()
export class ExistenceController {
  constructor(@Inject(QUERY_DEPS) private readonly deps: QueryDeps) {}

  @Route(EXISTS)
  exists(@Parameters() { urn, includeSoftDelete }: Input<typeof EXISTS>): Promise<boolean> {
    return entityExists(this.deps, urn, includeSoftDelete);
  }

  @Route(LIST_URNS)
  listUrns(@Parameters() page: Input<typeof LIST_URNS>): Promise<JsonOutputObject> {
    return listUrns(this.deps, page);
  }

  @Route(GET_BROWSE_PATHS)
  getBrowsePaths(@Parameters() { urn }: Input<typeof GET_BROWSE_PATHS>): Promise<readonly string[]> {
    return readBrowsePaths(this.deps, urn);
  }

  @Route(COUNT_ASPECTS)
  getCount(@Parameters() { aspect, urnLike }: Input<typeof COUNT_ASPECTS>): Promise<number> {
    return countAspects(this.deps, aspect, urnLike);
  }
}
