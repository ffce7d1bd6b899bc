import { statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { Database, type DiskRoom } from '@stratalog/adapters-postgres';
import { IdentityProvider, type IdentityProviderOptions, type WholeCatalog } from '@stratalog/http';
import { TEST_INFO, findTestFaults } from '@stratalog/metadata-tests';
import { InvalidSettingError, UnavailableError } from '@stratalog/domain';
import type { Clock, NeedChecks } from '@stratalog/ports';
import { loadModel, type EntityRegistry } from '@stratalog/registry';
import type { CatalogDeps, CommonDeps } from './catalog-deps';
import { deadLetterLog } from '../logging/dead-letter-log';
import type { Logger } from '../logging/logger';
import type { SignInSettings } from '../settings/access-settings';
import type { Settings } from '../settings/settings';
import { VERSION } from '../environment/version';

/** The limit for proposals that share one commit: beyond it the transaction costs more than sharing saves. */
export const MAX_PROPOSALS_PER_COMMIT = 256;

/**
 * Reads the model of the product and of the configured folders. It logs definitions without effect, and logs
 * unknown ones as warnings.
 */
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
    rules: new Map([[TEST_INFO, findTestFaults]]),
  });
  for (const warning of registry.warnings)
    logger.warn({ warning }, 'the model says something that is not understood');
  // Nobody can change those of the product's own model.
  const { length } = registry.notes.filter((note) =>
    settings.modelFolders.some((folder) => note.startsWith(join(folder, sep))),
  );
  if (length > 0)
    logger.info(`your models have ${String(length)} options without effect here: npm run cli -- model check`);
  return registry;
}

/** Makes the dependencies that do not depend on the servers of a catalog. */
export function commonDeps(
  registry: EntityRegistry,
  clock: Clock,
  {
    settings: {
      auth,
      positionTimeoutMs,
      graphqlMaxReads,
      unknownAspects,
      urnExistence,
      policyMode,
      assistantWrites,
      profile,
      baseUrl,
      proxyUsers,
      popularity,
      testResults,
      retention,
      indexCheckMs,
      taskKeepMs,
      auditKeepMs,
      synonymsFile,
      jwt,
      signIn,
      urnNamespace,
    },
    logger,
  }: { readonly settings: Settings; readonly logger: Logger },
): CommonDeps {
  return {
    registry,
    clock,
    about: { version: VERSION, auth },
    unknownAspects,
    urnExistence,
    policyMode,
    mcp: { hasWriteTools: assistantWrites === 'on' },
    ...(profile === 'distributed' ? { wholeCatalog: toWholeCatalog(baseUrl, proxyUsers) } : {}),
    popularity,
    testResults,
    ...(synonymsFile === undefined ? {} : { synonymsFile }),
    ...(jwt === undefined || signIn === undefined
      ? {}
      : { signIn: openSignIn(signIn, { ...jwt, urnNamespace }) }),
    retention: {
      ...retention,
      onPass: (pass) => {
        if (pass.versions > 0) logger.info(pass, 'old values were erased');
      },
    },
    taskRuns: {
      keepMs: taskKeepMs,
      auditKeepMs,
      onFault: (task, cause) => {
        logger.error({ ...task, err: cause }, 'a task failed');
      },
    },
    onRollback: (progress) => {
      logger.info(progress, progress.isDone ? 'a run was rolled back' : 'a run is being rolled back');
    },
    positionTimeoutMs,
    graphqlMaxReads,
    onDeadLetter: deadLetterLog(logger),
    onUnindexable: (urn, cause) => {
      logger.error(
        { urn, err: cause },
        'an entity could not be indexed; search or the graph has its former state',
      );
    },
    compareEveryMs: indexCheckMs,
    onNotice: (message, cause) => {
      logger.warn(cause === undefined ? {} : { reason: listReasons(cause) }, message);
    },
  };
}

/** Other processes than this one serve writes, at the address of the proxy. */
function toWholeCatalog(
  baseUrl: string | undefined,
  proxyUsers: Settings['proxyUsers'],
): WholeCatalog | null {
  return baseUrl === undefined ? null : { url: baseUrl, userHeader: proxyUsers?.header };
}

function openSignIn(
  { sessionMs, ...client }: SignInSettings,
  jwt: IdentityProviderOptions['jwt'],
): NonNullable<CommonDeps['signIn']> {
  return {
    provider: new IdentityProvider({ ...client, jwt }),
    sessionMs,
    isSecure: client.redirectUrl.startsWith('https:'),
  };
}

/** An index that is not there answers no query. */
export function indexChecks({
  searchIndexes,
  graphIndexes,
}: Pick<CatalogDeps, 'searchIndexes' | 'graphIndexes'>): Pick<NeedChecks, 'search' | 'graph' | 'engine'> {
  const rejectMissing = async (name: string, live: Promise<unknown>): Promise<void> => {
    if ((await live) === undefined) throw new UnavailableError(`there is no ${name} yet`);
  };
  return {
    search: () => rejectMissing('search index', searchIndexes.live()),
    graph: () => rejectMissing('relationship graph', graphIndexes.live()),
    engine: async () => void (await searchIndexes.state()),
  };
}

/** Joins the messages of an error and its causes, outermost first, without stacks. */
function listReasons(error: unknown): string {
  return error instanceof Error
    ? [error.message, ...(error.cause === undefined ? [] : [listReasons(error.cause)])].join(': ')
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
  room?: DiskRoom,
): Promise<Database> {
  return Database.open({
    url,
    poolSize: databasePoolSize,
    requireRoom: () => {
      room?.require();
    },
    onIdleError: (error) => {
      // The driver attaches its whole client to the error, secrets included.
      logger.warn({ reason: error.message }, 'an idle database connection broke');
    },
  });
}

/**
 * Explains in the words of the server or driver why the database of `DATABASE_URL` cannot be used. Neither
 * those words nor the address shown hold a password.
 */
export function unusableDatabase(databaseUrl: string, error: unknown): InvalidSettingError {
  const { host, pathname } = new URL(databaseUrl);
  const { cause = error } = error as { readonly cause?: unknown };
  const { message = '', code = '' } = cause as { readonly message?: string; readonly code?: string };
  return new InvalidSettingError(`DATABASE_URL: ${host}${pathname} cannot be used: ${message || code}`, {
    cause: error,
  });
}
