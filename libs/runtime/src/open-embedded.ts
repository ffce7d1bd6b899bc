import { statSync } from 'node:fs';
import {
  Database,
  Doorbell,
  PostgresAspectStore,
  PostgresChangeLog,
  PostgresProposalLog,
  PostgresSearchIndexes,
  openEmbeddedServer,
  type EmbeddedServer,
} from '@stratalog/adapters-postgres';
import { InvalidSettingError } from '@stratalog/model';
import { systemClock } from '@stratalog/ports';
import { loadModel, type EntityRegistry } from '@stratalog/registry';
import type { CatalogParts, OpenParts } from './catalog-parts';
import type { Logger } from './logger';
import type { Settings } from './settings';

/** Proposals that share one commit at most: beyond this the transaction grows faster than what it saves. */
const MAX_PROPOSALS_PER_COMMIT = 256;

/** For the migrations of a start, and for people who look. */
const SPARE_CONNECTIONS = 10;

/** Every part on one PostgreSQL: a server of our own, or the one that `DATABASE_URL` names. */
export async function openEmbedded(
  settings: Settings,
  modelFolders: readonly string[],
  logger: Logger,
): Promise<OpenParts> {
  settings.modelFolders.forEach(refuseMissingFolder);
  const registry = await loadModel({
    folders: [...modelFolders, ...settings.modelFolders],
    vendor: settings.vendor,
    urnNamespace: settings.urnNamespace,
  });
  for (const warning of registry.warnings)
    logger.warn({ warning }, 'the model says something without effect');
  const server = await openServer(settings, logger);
  let database: Database | undefined;
  const close = async (): Promise<void> => {
    await database?.close();
    await server?.stop();
  };
  try {
    database = await openDatabase(settings, server, logger);
    const parts = await partsOver(database, registry, settings, logger);
    return { parts, onLost: (listener) => server?.onExit(listener), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function partsOver(
  database: Database,
  registry: EntityRegistry,
  { partitions: wanted, commitTimeoutMs, positionTimeoutMs }: Settings,
  logger: Logger,
): Promise<CatalogParts> {
  const changeBell = new Doorbell();
  const storeOptions = { clock: systemClock, partitions: wanted, changes: changeBell };
  const store = await PostgresAspectStore.open(database, storeOptions);
  const { partitions } = store.identity;
  return {
    registry,
    clock: systemClock,
    store,
    proposals: new PostgresProposalLog(database, { partitions, maxRecords: MAX_PROPOSALS_PER_COMMIT }),
    changes: new PostgresChangeLog(database, partitions, changeBell),
    searchIndexes: new PostgresSearchIndexes(database, systemClock),
    commitTimeoutMs,
    positionTimeoutMs,
    onPoison: ({ partition, offset }, cause) => {
      logger.error({ partition, offset, err: cause }, 'a proposal could not be applied and is kept aside');
    },
    onUnindexable: (urn, cause) => {
      logger.error({ urn, err: cause }, 'an entity could not be indexed; search has its former state');
    },
  };
}

function openServer(settings: Settings, logger: Logger): Promise<EmbeddedServer | undefined> {
  if (settings.databaseUrl !== undefined) return Promise.resolve(undefined);
  return openEmbeddedServer({
    dataDir: settings.dataDir,
    log: (line) => {
      logger.info(line);
    },
    settings: { max_connections: String(settings.databasePoolSize + SPARE_CONNECTIONS) },
  });
}

function refuseMissingFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new InvalidSettingError(`STRATALOG_MODELS is "${folder}"; allowed: folders that are there`);
}

async function openDatabase(
  settings: Settings,
  server: EmbeddedServer | undefined,
  logger: Logger,
): Promise<Database> {
  const { databaseUrl, databasePoolSize: poolSize } = settings;
  try {
    return await Database.open({
      url: databaseUrl ?? server?.url ?? '',
      poolSize,
      onIdleError: (error) => {
        // The driver hangs its whole client on the error, secrets included.
        logger.warn({ reason: error.message }, 'an idle database connection broke');
      },
    });
  } catch (error) {
    throw databaseUrl === undefined ? error : unusableDatabase(databaseUrl, error);
  }
}

/** The server's or driver's own words, which hold no password; neither does the address that is shown. */
function unusableDatabase(databaseUrl: string, error: unknown): InvalidSettingError {
  const { host, pathname } = new URL(databaseUrl);
  const { cause = error } = error as { readonly cause?: unknown };
  const { message = '', code = '' } = cause as { readonly message?: string; readonly code?: string };
  return new InvalidSettingError(`DATABASE_URL: ${host}${pathname} cannot be used: ${message || code}`, {
    cause: error,
  });
}
