import { fileURLToPath } from 'node:url';
import { docsStage } from '@stratalog/api-docs';
import { mcpStage } from '@stratalog/mcp';
import type { CatalogStage } from '@stratalog/runtime';
import { adminStage } from '@stratalog/stages-admin';
import { graphStage } from '@stratalog/stages-graph';
import { indexerStage } from '@stratalog/stages-indexer';
import { ingestStage } from '@stratalog/stages-ingest';
import { queryStage } from '@stratalog/stages-query';
import { writerStage } from '@stratalog/stages-writer';

/** The same from the sources and from the bundle: both lie three folders below the root. */
export const MODELS = fileURLToPath(new URL('../../../models', import.meta.url));

/** All stages in one process. */
export const STAGES: readonly CatalogStage[] = [
  ingestStage,
  queryStage,
  writerStage,
  indexerStage,
  graphStage,
  adminStage,
  mcpStage,
  docsStage,
];
