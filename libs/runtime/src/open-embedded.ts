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
import { systemClock } from '@stratalog/ports';
import { loadModel } from '@stratalog/registry';
import type { OpenParts } from './catalog-parts';
import type { Logger } from './logger';
import type { Settings } from './settings';

/** Proposals that share one commit at most: beyond this the transaction grows faster than what it saves. */
const MAX_PROPOSALS_PER_COMMIT = 256;

/** Every part on one PostgreSQL: a server of our own, or the one that `DATABASE_URL` names. */
export async function openEmbedded(
  settings: Settings,
  modelFolders: readonly string[],
  logger: Logger,
): Promise<OpenParts> {
  const registry = await loadModel({
    folders: [...modelFolders, ...settings.modelFolders],
    vendor: settings.vendor,
    urnNamespace: settings.urnNamespace,
  });
  const server = await openServer(settings, logger);
  try {
    const database = await openDatabase(settings, server, logger);
    try {
      const changeBell = new Doorbell();
      const store = await PostgresAspectStore.open(database, {
        clock: systemClock,
        partitions: settings.partitions,
        changes: changeBell,
      });
      const { partitions } = store.identity;
      return {
        parts: {
          registry,
          clock: systemClock,
          store,
          proposals: new PostgresProposalLog(database, { partitions, maxRecords: MAX_PROPOSALS_PER_COMMIT }),
          changes: new PostgresChangeLog(database, partitions, changeBell),
          searchIndexes: new PostgresSearchIndexes(database, systemClock),
          commitTimeoutMs: settings.commitTimeoutMs,
          positionTimeoutMs: settings.positionTimeoutMs,
          onPoison: ({ partition, offset }, cause) => {
            logger.error(
              { partition, offset, err: cause },
              'a proposal could not be applied and is kept aside',
            );
          },
        },
        onLost: (listener) => server?.onExit(listener),
        close: async () => {
          await database.close();
          await server?.stop();
        },
      };
    } catch (error) {
      await database.close();
      throw error;
    }
  } catch (error) {
    await server?.stop();
    throw error;
  }
}

function openServer(settings: Settings, logger: Logger): Promise<EmbeddedServer | undefined> {
  if (settings.databaseUrl !== undefined) return Promise.resolve(undefined);
  return openEmbeddedServer({
    dataDir: settings.dataDir,
    log: (line) => {
      logger.info(line);
    },
  });
}

function openDatabase(
  settings: Settings,
  server: EmbeddedServer | undefined,
  logger: Logger,
): Promise<Database> {
  return Database.open({
    url: settings.databaseUrl ?? server?.url ?? '',
    poolSize: settings.databasePoolSize,
    onIdleError: (error) => {
      logger.warn({ err: error }, 'an idle database connection broke');
    },
  });
}
