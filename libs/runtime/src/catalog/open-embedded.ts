import type { Database } from '@stratalog/adapters-postgres';
import {
  PostgresChangeLog,
  PostgresProposalTable,
  PostgresSchemaStore,
  PostgresSearchIndexVersionStore,
  PostgresTimeseriesStatistics,
  openEmbeddedServer,
  type EmbeddedServer,
} from '@stratalog/adapters-postgres';
import { StoredIndexVersions } from '@stratalog/indexing';
import { Notifier } from '@stratalog/concurrency';
import type { Clock, NeedChecks } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import { LogSubmitter, TableProposalLog } from '@stratalog/writing';
import type { CatalogDeps, OpenDeps } from './catalog-deps';
import type { Logger } from '../logging/logger';
import { openClock, type OpenClock } from '../clock/open-clock';
import {
  MAX_PROPOSALS_PER_COMMIT,
  commonDeps,
  connectDatabase,
  indexChecks,
  openModel,
  unusableDatabase,
} from './open-store';
import { watchEpoch } from './epoch-watch';
import { openStores } from './open-stores';
import { settleModel } from './settle-model';
import type { Settings } from '../settings/settings';

/** Connections for the migrations of a start, and for people inspecting the database. */
const SPARE_CONNECTIONS = 10;

/** Opens every port on one PostgreSQL: an embedded server, or the one that `DATABASE_URL` names. */
export async function openEmbedded(
  settings: Settings,
  modelFolders: readonly string[],
  logger: Logger,
): Promise<OpenDeps> {
  const registry = await openModel(settings, modelFolders, logger);
  const server = await openServer(settings, logger);
  let database: Database | undefined;
  let openedClock: OpenClock | undefined;
  let stopEpochWatch: (() => Promise<void>) | undefined;
  const close = async (): Promise<void> => {
    await stopEpochWatch?.();
    await openedClock?.stop();
    await database?.close();
    await server?.stop();
  };
  try {
    database = await openDatabase(settings, server, logger);
    openedClock = await openClock(database, settings, logger);
    const deps = await depsOver(database, registry, openedClock.clock, { settings, logger });
    await settleModel(database, deps, settings, logger);
    stopEpochWatch = await watchEpoch(deps.storeEpoch);
    return {
      deps,
      checks: checksOver(database, deps),
      onLost: (listener) => server?.onExit(listener),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function depsOver(
  database: Database,
  registry: EntityRegistry,
  clock: Clock,
  { settings, logger }: { readonly settings: Settings; readonly logger: Logger },
): Promise<CatalogDeps> {
  const changeNotifier = new Notifier();
  const { partitions, commitTimeoutMs } = settings;
  const stores = await openStores(database, registry, {
    clock,
    partitions,
    changes: changeNotifier,
    isPublished: false,
  });
  const { store } = stores;
  const table = new PostgresProposalTable(database, store.identity.partitions);
  const proposals = new TableProposalLog(table, MAX_PROPOSALS_PER_COMMIT);
  return {
    ...commonDeps(registry, clock, { settings, logger }),
    ...stores,
    statistics: new PostgresTimeseriesStatistics(database),
    proposals,
    submitter: new LogSubmitter(proposals, { store, commitTimeoutMs }),
    changes: new PostgresChangeLog(database, table.partitions, changeNotifier),
    searchIndexes: new StoredIndexVersions(new PostgresSearchIndexVersionStore(database), clock),
    schemas: new PostgresSchemaStore(database),
  };
}

/** Both logs are tables of the store. */
function checksOver(database: Database, deps: CatalogDeps): NeedChecks {
  const store = (): Promise<void> => database.check();
  const proposals = async (): Promise<void> => {
    database.requireRoom();
    await store();
  };
  return { store, proposals, changes: store, ...indexChecks(deps) };
}

function openServer(settings: Settings, logger: Logger): Promise<EmbeddedServer | undefined> {
  if (settings.databaseUrl !== undefined) return Promise.resolve(undefined);
  return openEmbeddedServer({
    dataDir: settings.dataDir,
    hangLimitMs: settings.serverHangMs,
    log: (line) => {
      logger.info(line);
    },
    settings: { max_connections: String(settings.databasePoolSize + SPARE_CONNECTIONS) },
  });
}

async function openDatabase(
  settings: Settings,
  server: EmbeddedServer | undefined,
  logger: Logger,
): Promise<Database> {
  const { databaseUrl } = settings;
  try {
    return await connectDatabase(databaseUrl ?? server?.url ?? '', settings, logger, server?.room);
  } catch (error) {
    throw databaseUrl === undefined ? error : unusableDatabase(databaseUrl, error);
  }
}
