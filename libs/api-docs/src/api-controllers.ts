import type { Type } from '@nestjs/common';
import { documentedRoutes, type DocumentedRoute } from '@stratalog/http';
import { ConfigController, HealthController } from '@stratalog/runtime';
import { IndexesController } from '@stratalog/stages-admin';
import { RelationshipsController } from '@stratalog/stages-graph';
import {
  AspectsController,
  DeletionController,
  RetentionController,
  RunsController,
  SchemaRegistryController,
  SnapshotsController,
} from '@stratalog/stages-ingest';
import {
  AutocompleteController,
  BrowseController,
  EntitiesController,
  ExistenceController,
  ListingController,
  ModelsController,
  TimeseriesController,
  SearchController,
  VersionsController,
} from '@stratalog/stages-query';
import { DocsController } from './docs.controller';

/** Every controller of the catalog, in any app, in reading order. */
export const API_CONTROLLERS: readonly Type[] = [
  AspectsController,
  SnapshotsController,
  DeletionController,
  EntitiesController,
  VersionsController,
  ExistenceController,
  TimeseriesController,
  SearchController,
  AutocompleteController,
  BrowseController,
  ListingController,
  RelationshipsController,
  ModelsController,
  RetentionController,
  RunsController,
  IndexesController,
  SchemaRegistryController,
  HealthController,
  ConfigController,
  DocsController,
];

/** Every route of the catalog, in any app; the rejections of each app suggest them. */
export const API_ROUTES: readonly DocumentedRoute[] = documentedRoutes(API_CONTROLLERS);
