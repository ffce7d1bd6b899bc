import { Module, type DynamicModule } from '@nestjs/common';
import type { Stage } from '@stratalog/ports';
import { ModelsController } from './models/models.controller';
import { EntitiesController } from './entities/entities.controller';
import { ExistenceController } from './existence/existence.controller';
import { TimeseriesController } from './timeseries/timeseries.controller';
import { QUERY_DEPS, type QueryDeps } from './query-deps';
import { SearchController } from './search/search.controller';
import { VersionsController } from './versions/versions.controller';

/** Mounts the reading routes. */
@Module({})
export class QueryModule {
  static over(deps: QueryDeps): DynamicModule {
    return {
      module: QueryModule,
      controllers: [
        EntitiesController,
        VersionsController,
        ExistenceController,
        TimeseriesController,
        SearchController,
        ModelsController,
      ],
      providers: [{ provide: QUERY_DEPS, useValue: deps }],
    };
  }
}

/** Answers reads from the store and the search index. */
export const queryStage: Stage<QueryDeps, DynamicModule> = {
  name: 'query',
  open: (deps) => ({ module: QueryModule.over(deps), consumers: [] }),
};
