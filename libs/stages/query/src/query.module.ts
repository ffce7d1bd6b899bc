import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { provideUseCases, type WholeCatalog } from '@stratalog/http';
import { PositionedReads } from '@stratalog/indexing';
import { LayoutThreads } from '@stratalog/lineage';
import type { Stage } from '@stratalog/ports';
import { EntitiesController } from './entities/entities.controller';
import { reportUnknownAspects } from './entities/report-unknown-aspects';
import { readEntities, readEntity } from './entities/read-entity';
import { readSnapshot, readSnapshots } from './entities/read-snapshot';
import { readTimeline } from './entities/read-timeline';
import { readVersionedEntities } from './entities/read-versioned-entities';
import { ChangesController } from './changes/changes.controller';
import { countChanges } from './changes/count-changes';
import { listChanges } from './changes/list-changes';
import { BatchReads } from './entities/batch-reads';
import type { ReadDeps } from './entities/view-entities';
import { countAspects, entityExists, listUrns, readBrowsePaths } from './existence/check-existence';
import { ExistenceController } from './existence/existence.controller';
import {
  buildAspectSchema,
  describeAspect,
  describeEntities,
  describeEntity,
  listSpecifications,
} from './models/describe-model';
import { AssertionsController } from './assertions/assertions.controller';
import { readAssertionResults } from './assertions/read-assertion-results';
import { autocomplete } from './autocomplete/autocomplete';
import { AutocompleteController } from './autocomplete/autocomplete.controller';
import { BrowseController } from './browse/browse.controller';
import { browseEntities } from './browse/browse-entities';
import { browseV2 } from './browse/browse-v2';
import { describeImpact } from './lineage/describe-impact';
import { diffLineage } from './lineage/diff-lineage';
import { drawLineage } from './lineage/draw-lineage';
import { getLineage, getLineageOfEach } from './lineage/get-lineage';
import { GRAPH_READS, LineageController } from './lineage/lineage.controller';
import type { LineageUseCaseDeps } from './lineage/open-lineage';
import { LineageSearchController } from './lineage/lineage-search.controller';
import { PictureController } from './lineage/picture.controller';
import { scrollAcrossLineage, searchAcrossLineage } from './lineage/search-lineage';
import { explainSearch, type ExplanationDeps } from './explanation/explain-search';
import { EngineSearchController } from './explanation/engine-search.controller';
import { explainSearchQuery, explainSearchQueryDiff } from './explanation/explain-search-query';
import { readRawDocuments } from './explanation/read-raw-documents';
import { ExplanationController } from './explanation/explanation.controller';
import { answerText, ServedSchema } from './graphql/answer-text';
import { GraphqlController, WHOLE_CATALOG } from './graphql/graphql.controller';
import { BatchGetController } from './openapi/batch-get.controller';
import { EdgesController } from './openapi/edges.controller';
import { EntityListController } from './openapi/entity-list.controller';
import { readEntityList } from './openapi/read-entity-list';
import { scrollEdges } from './openapi/scroll-edges';
import { readOneEntity, scrollEntityList } from './openapi/scroll-entity-list';
import { ModelsController } from './models/models.controller';
import { countEntities, countEntitiesOfTypes, listEntities } from './search/list-entities';
import { ListingController } from './search/listing.controller';
import { readSynonyms } from './vocabulary/read-synonyms';
import { resolveType, resolveTypes } from './search/resolve-types';
import { scrollEntities } from './search/scroll-entities';
import { searchEntities } from './search/search-entities';
import { ChangeEventsController } from './change-events/change-events.controller';
import { ChangeWaits } from './change-events/change-waits';
import { pollEvents } from './change-events/poll-events';
import { readEventTimeline } from './change-events/read-event-timeline';
import { DisplayNames } from './facets/display-names';
import { Vocabularies } from './vocabulary/vocabularies';
import { SearchController } from './search/search.controller';
import { computeStatistics, type StatisticsDeps } from './statistics/compute-statistics';
import { StatisticsController } from './statistics/statistics.controller';
import { listTestResults } from './test-results/list-test-results';
import { TestResultsController } from './test-results/test-results.controller';
import { readTimeseries } from './timeseries/read-timeseries';
import { requireAspectOfType, requireTimeseriesAspect } from './timeseries/require-timeseries-aspect';
import { TimeseriesController } from './timeseries/timeseries.controller';
import { queryOperations } from './usage/query-operations';
import { queryUsage } from './usage/query-usage';
import { readTime } from './usage/read-time';
import { UsageController } from './usage/usage.controller';
import { readAspect, readAspectAt } from './versions/read-aspect';
import { readVersions } from './versions/read-versions';
import { VersionsController } from './versions/versions.controller';

interface QueryDeps
  extends
    Omit<ReadDeps, 'batchReads'>,
    Omit<ExplanationDeps, 'vocabularies' | 'synonyms' | 'displayNames'>,
    LineageUseCaseDeps,
    StatisticsDeps {
  /** File of synonyms for searches, in place of the usual ones. */
  readonly synonymsFile?: string;
  /** Most stored reads of one GraphQL text. */
  readonly graphqlMaxReads: number;
  /** Where another process serves writes; `null`: no setting says it. */
  readonly wholeCatalog?: WholeCatalog | null;
  /** Longest wait of a search for the position that its header requests. */
  readonly positionTimeoutMs: number;
}

/** The controllers of this stage, in reading order. */
export const QUERY_CONTROLLERS: readonly Type[] = [
  EntitiesController,
  BatchGetController,
  EntityListController,
  EdgesController,
  GraphqlController,
  VersionsController,
  ChangesController,
  ChangeEventsController,
  ExistenceController,
  TimeseriesController,
  AssertionsController,
  StatisticsController,
  UsageController,
  SearchController,
  LineageSearchController,
  AutocompleteController,
  BrowseController,
  ListingController,
  ExplanationController,
  LineageController,
  PictureController,
  ModelsController,
  EngineSearchController,
  TestResultsController,
];

/** Mounts the reading routes. */
@Module({})
export class QueryModule {
  static over(given: QueryDeps): DynamicModule {
    const synonyms = readSynonyms(given.synonymsFile);
    const deps = {
      ...given,
      synonyms,
      vocabularies: new Vocabularies(),
      displayNames: new DisplayNames(),
      layouts: new LayoutThreads(),
      batchReads: new BatchReads(),
      changeWaits: new ChangeWaits(given),
      served: new ServedSchema(given.registry),
    };
    const reads = new PositionedReads({ ...deps, indexes: deps.searchIndexes, indexName: 'search index' });
    const graphReads = new PositionedReads({
      ...deps,
      indexes: deps.graphIndexes,
      indexName: 'relationship graph',
    });
    return {
      module: QueryModule,
      controllers: [...QUERY_CONTROLLERS],
      providers: [
        { provide: PositionedReads, useValue: reads },
        { provide: GRAPH_READS, useValue: graphReads },
        { provide: WHOLE_CATALOG, useValue: given.wholeCatalog },
        ...provideUseCases(deps, readEntity, readEntities, readSnapshot, readSnapshots, reportUnknownAspects),
        ...provideUseCases(deps, readTimeline, readVersionedEntities, readEntityList),
        ...provideUseCases(deps, readOneEntity, scrollEntityList, scrollEdges),
        ...provideUseCases(deps, answerText),
        ...provideUseCases(deps, readVersions, readAspect, readAspectAt, listChanges, countChanges),
        ...provideUseCases(deps, readEventTimeline, pollEvents),
        ...provideUseCases(deps, entityExists, listUrns, readBrowsePaths, countAspects, readTimeseries),
        ...provideUseCases(deps, readAssertionResults),
        ...provideUseCases(deps, searchEntities, scrollEntities, resolveType, resolveTypes),
        ...provideUseCases(deps, getLineage, getLineageOfEach, diffLineage, describeImpact, drawLineage),
        ...provideUseCases(deps, searchAcrossLineage, scrollAcrossLineage),
        ...provideUseCases(deps, explainSearch, explainSearchQuery, explainSearchQueryDiff, readRawDocuments),
        ...provideUseCases(deps, autocomplete, browseEntities, browseV2, listTestResults),
        ...provideUseCases(deps, listEntities, countEntities, countEntitiesOfTypes),
        ...provideUseCases(
          deps.registry,
          describeEntities,
          describeEntity,
          describeAspect,
          buildAspectSchema,
          listSpecifications,
        ),
        ...provideUseCases(deps, computeStatistics, queryUsage, queryOperations, readTime),
        ...provideUseCases(deps.registry, requireAspectOfType, requireTimeseriesAspect),
      ],
    };
  }
}

/** Answers reads from the store and the search index. */
export const queryStage: Stage<QueryDeps, DynamicModule> = {
  name: 'query',
  open: (deps) => ({
    module: QueryModule.over(deps),
    consumers: [],
    needs: { query: ['store'], search: ['store', 'search'] },
  }),
};
