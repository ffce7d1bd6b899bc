import { statSync } from 'node:fs';
import { Database } from '@stratalog/adapters-postgres';
import { InvalidSettingError } from '@stratalog/model';
import type { Clock } from '@stratalog/ports';
import { loadModel, type EntityRegistry } from '@stratalog/registry';
import type { CatalogDeps } from './catalog-deps';
import type { Logger } from '../logging/logger';
import type { Settings } from '../settings/settings';
import { VERSION } from '../environment/version';

/** Proposals that share one commit at most: beyond this the transaction grows faster than what it saves. */
export const MAX_PROPOSALS_PER_COMMIT = 256;

/** The model of the product and of the settings' folders. What in it has no effect is logged: what nothing understands as a warning. */
export async function openModel(
  settings: Settings,
  modelFolders: readonly string[],
  logger: Logger,
): Promise<EntityRegistry> {
  settings.modelFolders.forEach(rejectMissingFolder);
  const registry = await loadModel({
    folders: [...modelFolders, ...settings.modelFolders],
    vendor: settings.vendor,
    urnNamespace: settings.urnNamespace,
  });
  for (const warning of registry.warnings)
    logger.warn({ warning }, 'the model says something that is not understood');
  const { length } = registry.notes;
  if (length > 0)
    logger.info(`the model has ${String(length)} options without effect here: npm run cli -- model check`);
  return registry;
}

/** The parts that do not depend on which servers a catalog runs on. */
export function commonParts(
  registry: EntityRegistry,
  clock: Clock,
  {
    settings: { auth, commitTimeoutMs, positionTimeoutMs, unknownAspects, retention, indexCheckMs },
    logger,
  }: { readonly settings: Settings; readonly logger: Logger },
): Omit<
  CatalogDeps,
  | 'store'
  | 'history'
  | 'histories'
  | 'runs'
  | 'proposals'
  | 'changes'
  | 'searchIndexes'
  | 'graphIndexes'
  | 'relay'
  | 'isModelCurrent'
  | 'schemas'
> {
  return {
    registry,
    clock,
    about: { version: VERSION, auth },
    unknownAspects,
    retention: {
      ...retention,
      onPass: (pass) => {
        if (pass.versions > 0) logger.info(pass, 'old values were erased');
      },
    },
    onRollback: (progress) => {
      logger.info(progress, progress.isDone ? 'a run was rolled back' : 'a run is being rolled back');
    },
    commitTimeoutMs,
    positionTimeoutMs,
    onPoison: ({ partition, offset }, cause) => {
      logger.error({ partition, offset, err: cause }, 'a proposal could not be applied and is kept aside');
    },
    onUnindexable: (urn, cause) => {
      logger.error(
        { urn, err: cause },
        'an entity could not be indexed; search or the graph has its former state',
      );
    },
    compareEveryMs: indexCheckMs,
    onNotice: (message, cause) => {
      logger.warn(cause === undefined ? {} : { reason: reasonsOf(cause) }, message);
    },
  };
}

/** What errors say, from the outermost to the cause of all, without stacks. */
function reasonsOf(error: unknown): string {
  return error instanceof Error
    ? [error.message, ...(error.cause === undefined ? [] : [reasonsOf(error.cause)])].join(': ')
    : String(error);
}

function rejectMissingFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new InvalidSettingError(`STRATALOG_MODELS is "${folder}"; allowed: folders that are there`);
}

/** **Errors**: `UnavailableError` when the server does not answer. */
export function connectDatabase(
  url: string,
  { databasePoolSize }: Settings,
  logger: Logger,
): Promise<Database> {
  return Database.open({
    url,
    poolSize: databasePoolSize,
    onIdleError: (error) => {
      // The driver hangs its whole client on the error, secrets included.
      logger.warn({ reason: error.message }, 'an idle database connection broke');
    },
  });
}

/**
 * Why the database that `DATABASE_URL` names cannot be used, in the server's or driver's own
 * words, which hold no password; neither does the address that is shown.
 */
export function unusableDatabase(databaseUrl: string, error: unknown): InvalidSettingError {
  const { host, pathname } = new URL(databaseUrl);
  const { cause = error } = error as { readonly cause?: unknown };
  const { message = '', code = '' } = cause as { readonly message?: string; readonly code?: string };
  return new InvalidSettingError(`DATABASE_URL: ${host}${pathname} cannot be used: ${message || code}`, {
    cause: error,
  });
}
