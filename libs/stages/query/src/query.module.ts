import { Module, type DynamicModule } from '@nestjs/common';
import { provideUseCases } from '@stratalog/http';
import { PositionedReads } from '@stratalog/indexing';
import type { Stage } from '@stratalog/ports';
import { EntitiesController } from './entities/entities.controller';
import { noteUnknownAspects } from './entities/note-unknown-aspects';
import { readEntities, readEntity } from './entities/read-entity';
import { readSnapshot, readSnapshots } from './entities/read-snapshot';
import { readTimeline } from './entities/read-timeline';
import { readVersionedEntities } from './entities/read-versioned-entities';
import type { ReadDeps } from './entities/view-entities';
import { countAspects, entityExists, listUrns, readBrowsePaths } from './existence/check-existence';
import { ExistenceController } from './existence/existence.controller';
import { buildAspectSchema, describeAspect, describeEntities, describeEntity } from './models/describe-model';
import { autocomplete } from './autocomplete/autocomplete';
import { AutocompleteController } from './autocomplete/autocomplete.controller';
import { BrowseController } from './browse/browse.controller';
import { browseEntities } from './browse/browse-entities';
import { browseV2 } from './browse/browse-v2';
import { ModelsController } from './models/models.controller';
import { countEntities, countEntitiesOfTypes, listEntities } from './search/list-entities';
import { ListingController } from './search/listing.controller';
import { resolveType, resolveTypes } from './search/resolve-types';
import { scrollEntities } from './search/scroll-entities';
import { searchEntities, type SearchDeps } from './search/search-entities';
import { SearchController } from './search/search.controller';
import { readTimeseries, requireTimeseriesAspect } from './timeseries/read-timeseries';
import { TimeseriesController } from './timeseries/timeseries.controller';
import { readAspect, readAspectAt } from './versions/read-aspect';
import { readVersions } from './versions/read-versions';
import { VersionsController } from './versions/versions.controller';

interface QueryDeps extends ReadDeps, SearchDeps {
  /** Longest wait of a search for the position that its header requests. */
  readonly positionTimeoutMs: number;
}

/** Mounts the reading routes. */
@Module({})
export class QueryModule {
  static over(deps: QueryDeps): DynamicModule {
    const reads = new PositionedReads({ ...deps, indexes: deps.searchIndexes, indexName: 'search index' });
    return {
      module: QueryModule,
      controllers: [
        EntitiesController,
        VersionsController,
        ExistenceController,
        TimeseriesController,
        SearchController,
        ListingController,
        AutocompleteController,
        BrowseController,
        ModelsController,
      ],
      providers: [
        { provide: PositionedReads, useValue: reads },
        ...provideUseCases(deps, readEntity, readEntities, readSnapshot, readSnapshots, noteUnknownAspects),
        ...provideUseCases(deps, readTimeline, readVersionedEntities, readVersions, readAspect, readAspectAt),
        ...provideUseCases(deps, entityExists, listUrns, readBrowsePaths, countAspects, readTimeseries),
        ...provideUseCases(deps, searchEntities, scrollEntities, resolveType, resolveTypes),
        ...provideUseCases(deps, autocomplete, browseEntities, browseV2),
        ...provideUseCases(deps, listEntities, countEntities, countEntitiesOfTypes),
        ...provideUseCases(
          deps.registry,
          describeEntities,
          describeEntity,
          describeAspect,
          buildAspectSchema,
        ),
        ...provideUseCases(deps.registry, requireTimeseriesAspect),
      ],
    };
  }
}

/** Answers reads from the store and the search index. */
export const queryStage: Stage<QueryDeps, DynamicModule> = {
  name: 'query',
  open: (deps) => ({ module: QueryModule.over(deps), consumers: [] }),
};
