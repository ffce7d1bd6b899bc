export { EntitiesController } from './entities.controller';
export { ModelsController } from './models.controller';
export { queryStage } from './query.module';
