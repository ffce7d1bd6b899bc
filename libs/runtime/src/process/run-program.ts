import { randomBytes } from 'node:crypto';
import type { DocumentedRoute } from '@stratalog/http';
import { StratalogError } from '@stratalog/model';
import { explainFullDisk } from '../environment/full-disk';
import { createLogger } from '../logging/logger';
import { outliveOutput } from './outlive-output';
import { run, type CatalogStage, type RunningCatalog } from './run';
import { parseSettings, unknownSettings, type Settings } from '../settings/settings';
import { SETTINGS } from '../settings/setting-specs';
import { untilLost, waitForSignal } from './wait-for-signal';

export interface Program {
  /** Its name in log lines and among the instances of a catalog. */
  readonly app: string;
  readonly stages: readonly CatalogStage[];
  /** All routes of the catalog, whichever app serves them. */
  readonly routes: readonly DocumentedRoute[];
  /** The model folders that come with the product. */
  readonly modelFolders: readonly string[];
  /** Called once every stage is of use, before the program says so; answers what it says. */
  readonly onReady: (catalog: RunningCatalog, settings: Settings) => Promise<string> | string;
}

/** After an order to stop, what is still going on gets this long before the process ends anyway. */
const STOP_LIMIT_MS = 30_000;

/**
 * Runs stages as the program of this process: settings from the environment, until a signal tells it to stop or a server that it
 * needs is lost. Sets the exit code; faults go to standard error.
 */
export async function runProgram(program: Program): Promise<void> {
  outliveOutput();
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
  const told = waitForSignal();
  void told.then(endAnyway);
  const started = run({ app, instance, settings, logger, stages, routes, modelFolders });
  const catalog = await started.catch((error: unknown) => {
    throw settings.databaseUrl === undefined ? explainFullDisk(error, settings.dataDir) : error;
  });
  try {
    const ending = Promise.race([told, untilLost(catalog)]);
    const isReady = await Promise.race([catalog.ready.then(() => true), ending.then(() => false)]);
    if (isReady) process.stdout.write(await onReady(catalog, settings));
    const reason = await ending;
    logger.info({ reason }, 'stopping');
  } finally {
    endAnyway();
    await catalog.stop();
  }
}

/** Bounds the end, wherever the process is: in the middle of its start, too. */
function endAnyway(): void {
  setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
}

/** Every setting with its help, for a program's `--help`. */
export function settingsText(): string {
  return SETTINGS.map(({ name, help, allowed, fallback }) => {
    const value = fallback === undefined ? '' : ` Default: ${fallback}.`;
    return `  ${name}\n      ${help}${value}\n      Allowed: ${allowed}\n`;
  }).join('');
}
