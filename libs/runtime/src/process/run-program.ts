import { randomBytes } from 'node:crypto';
import type { RouteList } from '@stratalog/http';
import { StratalogError } from '@stratalog/domain';
import { explainFullDisk } from '../environment/full-disk';
import { createLogger } from '../logging/logger';
import { ignoreOutputErrors } from './ignore-output-errors';
import { run, type CatalogStage, type RunningCatalog } from './run';
import { parseSettings, unknownSettings, type Settings } from '../settings/settings';
import { DRAINING_SIGNAL, untilLost, waitForSignal } from './wait-for-signal';

export interface Program {
  /** Its name in log lines and among the instances of a catalog. */
  readonly app: string;
  readonly stages: readonly CatalogStage[];
  /** All routes of the catalog, in any app. */
  readonly routes: RouteList;
  /** The model folders that ship with the product. */
  readonly modelFolders: readonly string[];
  /** Called once every stage is ready, before the program reports it; returns the message to print. */
  readonly onReady: (catalog: RunningCatalog, settings: Settings) => Promise<string> | string;
}

/** The time limit for a stop without the drain; the process ends after it in any case. */
const STOP_LIMIT_MS = 30_000;

/**
 * Runs stages as the program of this process, with settings from the environment. It ends on a signal or when
 * a required server is lost. Sets the exit code; faults go to standard error.
 */
export async function runProgram(program: Program): Promise<void> {
  ignoreOutputErrors();
  try {
    await untilEnd(program);
  } catch (error) {
    const known = error instanceof StratalogError && error.code !== 'fault';
    process.stderr.write(
      `stratalog: ${known ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
    );
    process.exitCode = 1;
  }
}

async function untilEnd({ app, stages, routes, modelFolders, onReady }: Program): Promise<void> {
  const settings = parseSettings(process.env);
  const instance = randomBytes(4).toString('hex');
  const logger = createLogger(settings, { app, instance });
  for (const { name, near } of unknownSettings(process.env))
    logger.warn({ name }, `an environment variable looks like a setting but is none${near}`);
  const signalled = waitForSignal();
  void signalled.then(() => {
    exitAfterLimit(settings);
  });
  const started = run({ app, instance, settings, logger, stages, routes, modelFolders });
  const catalog = await started.catch((error: unknown) => {
    throw settings.databaseUrl === undefined ? explainFullDisk(error, settings.dataDir) : error;
  });
  try {
    const ending = Promise.race([signalled, untilLost(catalog)]);
    const isReady = await Promise.race([catalog.ready.then(() => true), ending.then(() => false)]);
    if (isReady) {
      const text = await onReady(catalog, settings);
      logger.info({ url: catalog.url, metricsUrl: catalog.metricsUrl }, 'ready');
      process.stdout.write(text);
    }
    const reason = await ending;
    logger.info({ reason }, 'stopping');
    if (reason === DRAINING_SIGNAL) await catalog.drain();
  } finally {
    exitAfterLimit(settings);
    await catalog.stop();
    logger.info('stopped');
  }
}

/** Bounds the stop wherever the process is, also in the middle of its start. */
function exitAfterLimit({ drainMs }: Settings): void {
  setTimeout(() => process.exit(1), drainMs + STOP_LIMIT_MS).unref();
}
