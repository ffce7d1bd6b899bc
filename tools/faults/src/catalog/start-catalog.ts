import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { CatalogProgram, ROOT } from '@stratalog/harness';
import type { Workspace } from './workspace';

export const MODELS = join(ROOT, 'models');
export const PARTITIONS = 16;

/** The folder of the model that this process has besides the product's. */
export function ownModel(isSecond: boolean): string {
  return join(ROOT, 'tools/faults/models', isSecond ? 'second' : 'first');
}

export interface StartSettings {
  readonly port: number;
  readonly secondModel: boolean;
  /** The limit of the heap in MB, without the young generation; V8's own limit unless set. */
  readonly heapMb?: number;
}

/** In a process group of its own: a Ctrl-C in the terminal must not reach it before this process. */
export function startCatalog(
  { folder, dataDir, logFile }: Workspace,
  { port, secondModel, heapMb }: StartSettings,
): CatalogProgram {
  const log = openSync(logFile, 'a');
  const settings = {
    STRATALOG_DATA_DIR: dataDir,
    STRATALOG_PORT: String(port),
    STRATALOG_PARTITIONS: String(PARTITIONS),
    STRATALOG_LOG_LEVEL: 'warn',
    STRATALOG_MODELS: ownModel(secondModel),
    ...(heapMb === undefined ? {} : { NODE_OPTIONS: `--max-old-space-size=${heapMb}` }),
  };
  const catalog = new CatalogProgram({ settings, workingDir: folder, log, isDetached: true });
  closeSync(log);
  return catalog;
}
