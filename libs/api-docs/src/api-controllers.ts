import type { Type } from '@nestjs/common';
import { documentedRoutes, type DocumentedRoute } from '@stratalog/http';
import { ConfigController, HealthController } from '@stratalog/runtime';
import {
  AuditController,
  DeadLettersController,
  EngineOperationsController,
  IndexesController,
  LogController,
  MetadataTestsController,
  RestoreController,
  StoreController,
  TasksController,
  TimeseriesOperationsController,
  TokensController,
} from '@stratalog/stages-admin';
import { RelationshipsController } from '@stratalog/stages-graph';
import {
  AspectsController,
  DeletionController,
  RetentionController,
  RunsController,
  SchemaRegistryController,
  SnapshotsController,
  UsageIngestController,
} from '@stratalog/stages-ingest';
import {
  AutocompleteController,
  BrowseController,
  EngineSearchController,
  BatchGetController,
  EntitiesController,
  ExistenceController,
  ExplanationController,
  LineageController,
  LineageSearchController,
  ListingController,
  ModelsController,
  PictureController,
  StatisticsController,
  TestResultsController,
  TimeseriesController,
  SearchController,
  UsageController,
  VersionsController,
} from '@stratalog/stages-query';
import { DocsController } from './docs.controller';

/** Every controller of the catalog, in any app, in reading order. */
export const API_CONTROLLERS: readonly Type[] = [
  AspectsController,
  SnapshotsController,
  UsageIngestController,
  DeletionController,
  EntitiesController,
  BatchGetController,
  VersionsController,
  ExistenceController,
  TimeseriesController,
  StatisticsController,
  UsageController,
  SearchController,
  LineageSearchController,
  AutocompleteController,
  BrowseController,
  ListingController,
  RelationshipsController,
  ExplanationController,
  LineageController,
  PictureController,
  ModelsController,
  RetentionController,
  RunsController,
  IndexesController,
  LogController,
  RestoreController,
  StoreController,
  TimeseriesOperationsController,
  TasksController,
  EngineOperationsController,
  EngineSearchController,
  MetadataTestsController,
  TokensController,
  TestResultsController,
  AuditController,
  DeadLettersController,
  SchemaRegistryController,
  HealthController,
  ConfigController,
  DocsController,
];

/** Every route of the catalog, in any app; the rejections of each app suggest them. */
export const API_ROUTES: readonly DocumentedRoute[] = documentedRoutes(API_CONTROLLERS);
