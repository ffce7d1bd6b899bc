import type { Database } from '@stratalog/adapters-postgres';
import {
  PostgresAspectHistory,
  PostgresAspectStore,
  PostgresAuditLog,
  PostgresConsumerCheckpoints,
  PostgresDeadLetters,
  PostgresChangeLog,
  PostgresGraphIndexVersionStore,
  PostgresLatestAspects,
  PostgresProposalLog,
  PostgresRetentionStore,
  PostgresRunStore,
  PostgresSchemaStore,
  PostgresSearchIndexVersionStore,
  PostgresStoreEpoch,
  PostgresTaskStore,
  PostgresTimeseriesStatistics,
  PostgresTimeseriesStorage,
  openEmbeddedServer,
  type EmbeddedServer,
} from '@stratalog/adapters-postgres';
import { StoredIndexVersions } from '@stratalog/indexing';
import { LogSubmitter, type Clock, type NeedChecks, Notifier } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import type { CatalogDeps, OpenDeps } from './catalog-deps';
import type { Logger } from '../logging/logger';
import { openClock, type OpenClock } from '../clock/open-clock';
import {
  MAX_PROPOSALS_PER_COMMIT,
  commonParts,
  connectDatabase,
  indexChecks,
  openModel,
  openTokens,
  unusableDatabase,
} from './open-store';
import { watchEpoch } from './epoch-watch';
import { modelWatch, settleModel } from './settle-model';
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
    const deps = await partsOver(database, registry, openedClock.clock, { settings, logger });
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

async function partsOver(
  database: Database,
  registry: EntityRegistry,
  clock: Clock,
  { settings, logger }: { readonly settings: Settings; readonly logger: Logger },
): Promise<CatalogDeps> {
  const changeNotifier = new Notifier();
  const storeOptions = { clock, partitions: settings.partitions, changes: changeNotifier };
  const store = await PostgresAspectStore.open(database, storeOptions);
  const { partitions } = store.identity;
  const storeEpoch = new PostgresStoreEpoch(database, (now) => {
    store.identity = now;
  });
  const proposals = new PostgresProposalLog(database, { partitions, maxRecords: MAX_PROPOSALS_PER_COMMIT });
  return {
    ...commonParts(registry, clock, { settings, logger }),
    isModelCurrent: modelWatch(database, registry),
    store,
    storeEpoch,
    history: new PostgresAspectHistory(database),
    runs: new PostgresRunStore(database),
    latest: new PostgresLatestAspects(database),
    tasks: new PostgresTaskStore(database),
    audit: new PostgresAuditLog(database),
    ...openTokens(database),
    checkpoints: new PostgresConsumerCheckpoints(database),
    deadLetters: new PostgresDeadLetters(database, clock),
    statistics: new PostgresTimeseriesStatistics(database),
    connectionUse: () => database.connectionUse(),
    timeseries: new PostgresTimeseriesStorage(database, { clock, partitions, isPublished: false }),
    histories: new PostgresRetentionStore(database, { clock, partitions, isPublished: false }),
    proposals,
    submitter: new LogSubmitter(proposals, { store, commitTimeoutMs: settings.commitTimeoutMs }),
    changes: new PostgresChangeLog(database, partitions, changeNotifier),
    searchIndexes: new StoredIndexVersions(new PostgresSearchIndexVersionStore(database), clock),
    graphIndexes: new StoredIndexVersions(new PostgresGraphIndexVersionStore(database), clock),
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
