import { Module, type DynamicModule } from '@nestjs/common';
import type { Stage } from '@stratalog/ports';
import { ModelsController } from './models.controller';
import { EntitiesController } from './entities.controller';
import { LookUpController } from './look-up.controller';
import { PointsController } from './points.controller';
import { QUERY_PARTS, type QueryParts } from './query-parts';
import { SearchController } from './search.controller';
import { VersionsController } from './versions.controller';

/** Mounts the reading routes. */
@Module({})
export class QueryModule {
  static over(parts: QueryParts): DynamicModule {
    return {
      module: QueryModule,
      controllers: [
        EntitiesController,
        VersionsController,
        LookUpController,
        PointsController,
        SearchController,
        ModelsController,
      ],
      providers: [{ provide: QUERY_PARTS, useValue: parts }],
    };
  }
}

/** Answers readers from the store and the search index. */
export const queryStage: Stage<QueryParts, DynamicModule> = {
  name: 'query',
  open: (parts) => ({ module: QueryModule.over(parts), consumers: [] }),
};
