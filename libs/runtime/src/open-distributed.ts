import { ElasticsearchSearchIndexes, openSearchEngine } from '@stratalog/adapters-elasticsearch';
import { ChangeRelay, KafkaChangeLog, KafkaCluster, KafkaProposalLog } from '@stratalog/adapters-kafka';
import {
  Doorbell,
  PostgresAspectStore,
  PostgresChangeRelayStore,
  PostgresLogOffsets,
  type Database,
} from '@stratalog/adapters-postgres';
import { systemClock } from '@stratalog/ports';
import type { OpenParts } from './catalog-parts';
import type { Logger } from './logger';
import {
  MAX_PROPOSALS_PER_COMMIT,
  commonParts,
  connectDatabase,
  openModel,
  unusableDatabase,
} from './open-store';
import { modelWatch, settleModel } from './settle-model';
import type { KafkaSettings, SearchEngineSettings, Settings } from './settings';
import { untilUp } from './until-up';

/**
 * The store in PostgreSQL, the logs in Kafka, the index in a search engine. A server that is not up yet is waited for.
 *
 * **Errors**: `InvalidSettingError` for what waiting cannot mend, `UnavailableError` for a server that stays away.
 */
export async function openDistributed(
  settings: Settings,
  modelFolders: readonly string[],
  logger: Logger,
): Promise<OpenParts> {
  const { databaseUrl, kafka, searchEngine } = settings;
  if (databaseUrl === undefined || kafka === undefined || searchEngine === undefined)
    throw new TypeError('The settings are not those of the distributed profile');
  const registry = await openModel(settings, modelFolders, logger);
  const closing: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const each of closing.splice(0).reverse()) await each();
  };
  try {
    const database = await openDatabase(databaseUrl, settings, logger);
    closing.push(() => database.close());
    const changeBell = new Doorbell();
    const storeOptions = { clock: systemClock, partitions: settings.partitions, changes: changeBell };
    const store = await PostgresAspectStore.open(database, storeOptions);
    const { identity } = store;
    const relayStore = new PostgresChangeRelayStore(database, identity.partitions, changeBell);
    const cluster = await untilUp('Kafka', () => openKafka(kafka, identity.partitions, logger), logger);
    closing.push(() => cluster.close());
    const proposals = new KafkaProposalLog(cluster, {
      offsets: new PostgresLogOffsets(database),
      maxRecords: MAX_PROPOSALS_PER_COMMIT,
    });
    closing.push(() => proposals.close());
    const engine = await openEngine(searchEngine, logger);
    closing.push(() => engine.close());
    await settleModel(database, { store, registry, proposals }, settings, logger);
    return {
      parts: {
        ...commonParts(registry, settings, logger),
        isModelCurrent: modelWatch(database, registry),
        store,
        proposals,
        changes: new KafkaChangeLog(cluster, { identity, published: () => relayStore.published() }),
        relay: new ChangeRelay(cluster, { store: relayStore, identity }),
        searchIndexes: new ElasticsearchSearchIndexes(engine, systemClock),
      },
      onLost: () => undefined,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openDatabase(url: string, settings: Settings, logger: Logger): Promise<Database> {
  try {
    return await untilUp('PostgreSQL', () => connectDatabase(url, settings, logger), logger);
  } catch (error) {
    throw unusableDatabase(url, error);
  }
}

function openKafka(
  { brokers, tls, sasl, topicPrefix }: KafkaSettings,
  partitions: number,
  logger: Logger,
): Promise<KafkaCluster> {
  return KafkaCluster.open({
    brokers,
    clientId: 'stratalog',
    prefix: topicPrefix,
    partitions,
    ssl: tls,
    ...(sasl === undefined ? {} : { sasl }),
    log: (level, text) => {
      logger[level](text);
    },
  });
}

function openEngine({ url, ...rest }: SearchEngineSettings, logger: Logger) {
  return openSearchEngine({
    url,
    ...rest,
    onWaiting: (reason) => {
      logger.warn({ reason }, 'waiting for the search engine');
    },
  });
}
