export { ExistenceController } from './existence/existence.controller';
export { EntitiesController } from './entities/entities.controller';
export { ListingController } from './search/listing.controller';
export { ModelsController } from './models/models.controller';
export { TimeseriesController } from './timeseries/timeseries.controller';
export { queryStage } from './query.module';
export { SearchController } from './search/search.controller';
export { VersionsController } from './versions/versions.controller';
