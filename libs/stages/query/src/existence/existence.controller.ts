import { Controller, Inject } from '@nestjs/common';
import { Parameters, Route, type Input, type UseCase } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
import { readBrowsePaths, countAspects, entityExists, listUrns } from './check-existence';
import { COUNT_ASPECTS, EXISTS, GET_BROWSE_PATHS, LIST_URNS } from './existence.routes';

/** The actions on the existence and number of entities and aspects; they read the store. */
@Controller()
export class ExistenceController {
  @Inject(entityExists) private readonly entityExists!: UseCase<typeof entityExists>;
  @Inject(listUrns) private readonly listUrns!: UseCase<typeof listUrns>;
  @Inject(readBrowsePaths) private readonly readBrowsePaths!: UseCase<typeof readBrowsePaths>;
  @Inject(countAspects) private readonly countAspects!: UseCase<typeof countAspects>;

  @Route(EXISTS)
  exists(@Parameters() { urn, includeSoftDelete }: Input<typeof EXISTS>): Promise<boolean> {
    return this.entityExists(urn, includeSoftDelete);
  }

  @Route(LIST_URNS)
  listPage(@Parameters() page: Input<typeof LIST_URNS>): Promise<JsonOutputObject> {
    return this.listUrns(page);
  }

  @Route(GET_BROWSE_PATHS)
  getBrowsePaths(@Parameters() { urn }: Input<typeof GET_BROWSE_PATHS>): Promise<readonly string[]> {
    return this.readBrowsePaths(urn);
  }

  @Route(COUNT_ASPECTS)
  getCount(@Parameters() { aspect, urnLike }: Input<typeof COUNT_ASPECTS>): Promise<number> {
    return this.countAspects(aspect, urnLike);
  }
}
