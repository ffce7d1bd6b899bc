import { fileURLToPath } from 'node:url';
import { run, type Logger, type RunningCatalog, type Settings } from '@stratalog/runtime';
import { indexerStage } from '@stratalog/stages-indexer';
import { ingestStage } from '@stratalog/stages-ingest';
import { queryStage } from '@stratalog/stages-query';
import { writerStage } from '@stratalog/stages-writer';

/** The same from the sources and from the bundle: both lie three folders below the root. */
export const MODELS = fileURLToPath(new URL('../../../models', import.meta.url));

/** All stages in one process. */
export function startStandalone(settings: Settings, logger: Logger): Promise<RunningCatalog> {
  return run({
    settings,
    logger,
    stages: [ingestStage, queryStage, writerStage, indexerStage],
    modelFolders: [MODELS],
  });
}
