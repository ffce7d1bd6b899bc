export { LookUpController } from './look-up.controller';
export { EntitiesController } from './entities.controller';
export { ModelsController } from './models.controller';
export { PointsController } from './points.controller';
export { queryStage } from './query.module';
export { SearchController } from './search.controller';
export { VersionsController } from './versions.controller';
