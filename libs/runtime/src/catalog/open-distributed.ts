import {
  ElasticsearchSearchIndexVersionStore,
  ElasticsearchTimeseriesIndexVersionStore,
  claimIndices,
  openSearchEngine,
} from '@stratalog/adapters-elasticsearch';
import {
  ChangeRelay,
  HttpSchemaRegistry,
  KafkaChangeLog,
  KafkaCluster,
  KafkaLogRecovery,
  KafkaProposalLog,
  OwnSchemaRegistry,
  avroChanges,
  withoutRepeats,
  type ChangeEncodings,
} from '@stratalog/adapters-kafka';
import {
  PostgresCallCounts,
  PostgresChangeRelayStore,
  PostgresInstanceRegistry,
  PostgresLogOffsets,
  PostgresSchemaStore,
  PostgresTimeseriesSource,
  PostgresTimeseriesStatistics,
  type Database,
} from '@stratalog/adapters-postgres';
import { IndexedStatistics, StoredIndexVersions } from '@stratalog/indexing';
import { InvalidSettingError, UnavailableError } from '@stratalog/domain';
import { Notifier } from '@stratalog/concurrency';
import type { LogOffsets, NeedChecks, SchemaRegistry, SchemaStore, StoreIdentity } from '@stratalog/ports';
import { listTimeseriesSeries, urnOfKeyIn } from '@stratalog/registry';
import { LogSubmitter } from '@stratalog/writing';
import type { CatalogDeps, OpenDeps } from './catalog-deps';
import type { Logger } from '../logging/logger';
import { openClock } from '../clock/open-clock';
import {
  MAX_PROPOSALS_PER_COMMIT,
  commonDeps,
  connectDatabase,
  indexChecks,
  openModel,
  unusableDatabase,
} from './open-store';
import { openStores } from './open-stores';
import { settleModel } from './settle-model';
import type { KafkaSettings, SearchEngineSettings } from '../settings/distributed-settings';
import type { Settings } from '../settings/settings';
import { watchEpoch } from './epoch-watch';
import { LogWatch, describeStops } from './log-watch';
import { untilUp } from '../environment/until-up';

/**
 * Opens the store in PostgreSQL, the logs in Kafka and the index in a search engine. It waits for a server
 * that is not up yet.
 *
 * **Errors**: `InvalidSettingError` for a fault that waiting cannot fix, `UnavailableError` for a server that
 * stays unreachable.
 */
export async function openDistributed(
  settings: Settings,
  modelFolders: readonly string[],
  logger: Logger,
): Promise<OpenDeps> {
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
    const openedClock = await openClock(database, settings, logger);
    closing.push(() => openedClock.stop());
    const { clock } = openedClock;
    // A connection of its own: a busy pool must not make an instance appear lost.
    const heartbeats = await connectDatabase(databaseUrl, { ...settings, databasePoolSize: 1 }, logger);
    closing.push(() => heartbeats.close());
    const changeNotifier = new Notifier();
    const stores = await openStores(database, registry, {
      clock,
      partitions: settings.partitions,
      changes: changeNotifier,
      isPublished: true,
    });
    const { store, storeEpoch, deadLetters } = stores;
    const { identity } = store;
    closing.push(await watchEpoch(storeEpoch));
    const relayStore = new PostgresChangeRelayStore(database, identity.partitions, changeNotifier);
    const cluster = await openKafka(kafka, identity, logger);
    closing.push(() => cluster.close());
    const schemas = new PostgresSchemaStore(database);
    const schemaRegistry = await openSchemaRegistry(kafka, schemas, logger);
    const offsets = new PostgresLogOffsets(database);
    const proposals = new KafkaProposalLog(cluster, {
      offsets,
      clock,
      maxRecords: MAX_PROPOSALS_PER_COMMIT,
      urnOfKey: urnOfKeyIn(registry),
      registry: schemaRegistry,
    });
    closing.push(() => proposals.close());
    const engine = await openEngine(searchEngine, logger);
    closing.push(() => engine.close());
    await claimIndices(engine, identity.storeId);
    await settleModel(database, { store, registry, proposals, deadLetters }, settings, logger);
    const timeseriesVersions = new StoredIndexVersions(
      new ElasticsearchTimeseriesIndexVersionStore(engine),
      clock,
    );
    const deps: CatalogDeps = {
      ...commonDeps(registry, clock, { settings, logger }),
      ...stores,
      statistics: new IndexedStatistics({
        ...listTimeseriesSeries(registry),
        store,
        indexes: timeseriesVersions,
        stored: new PostgresTimeseriesStatistics(database),
      }),
      timeseriesIndex: {
        versions: timeseriesVersions,
        source: new PostgresTimeseriesSource(database),
      },
      proposals,
      logRecovery: new KafkaLogRecovery(cluster, offsets),
      logWatch: new LogWatch(offsets),
      submitter: new LogSubmitter(proposals, {
        store,
        commitTimeoutMs: settings.commitTimeoutMs,
      }),
      changes: new KafkaChangeLog(cluster, {
        identity: () => store.identity,
        published: () => relayStore.published(),
      }),
      relay: new ChangeRelay(cluster, {
        store: relayStore,
        identity: () => store.identity,
        ...(kafka.changeFormat === 'avro' ? { encodings: avroEncodings(schemaRegistry, cluster) } : {}),
      }),
      searchIndexes: new StoredIndexVersions(
        new ElasticsearchSearchIndexVersionStore(engine, searchEngine),
        clock,
      ),
      // Two registries would give one id two meanings, so the catalog serves its own only when no other is
      // configured.
      ...(kafka.schemaRegistryUrl === undefined ? { schemas } : {}),
    };
    return {
      deps,
      checks: checksOver(deps, { database: heartbeats, cluster, offsets }),
      instances: new PostgresInstanceRegistry(heartbeats),
      callCounts: new PostgresCallCounts(database),
      onLost: () => undefined,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface CheckedServers {
  readonly database: Database;
  readonly cluster: KafkaCluster;
  readonly offsets: Pick<LogOffsets, 'read'>;
}

/** A log is there while the brokers tell the ends of its partitions, and no partition waits for an operator. */
function checksOver(deps: CatalogDeps, { database, cluster, offsets }: CheckedServers): NeedChecks {
  const { proposals, changes } = cluster.topics;
  return {
    store: () => database.check(),
    proposals: async () => {
      await cluster.readWatermarks(proposals);
      const stops = describeStops(await offsets.read());
      if (stops !== undefined) throw new UnavailableError(`the proposal log is ${stops}`);
    },
    changes: async () => void (await cluster.readWatermarks(changes)),
    ...indexChecks(deps),
  };
}

async function openDatabase(url: string, settings: Settings, logger: Logger): Promise<Database> {
  try {
    return await untilUp('PostgreSQL', () => connectDatabase(url, settings, logger), logger);
  } catch (error) {
    throw unusableDatabase(url, error);
  }
}

async function openKafka(
  { brokers, tls, sasl, topicPrefix, topics }: KafkaSettings,
  { storeId, partitions }: StoreIdentity,
  logger: Logger,
): Promise<KafkaCluster> {
  const log = withoutRepeats(
    (level, text) => {
      logger[level](text);
    },
    () => performance.now(),
  );
  const open = (): Promise<KafkaCluster> =>
    KafkaCluster.open({
      brokers,
      clientId: 'stratalog',
      prefix: topicPrefix,
      topics,
      storeId,
      partitions,
      ssl: tls,
      ...(sasl === undefined ? {} : { sasl }),
      log,
    });
  try {
    return await untilUp('Kafka', open, logger);
  } catch (error) {
    throw unusable('KAFKA_BROKERS', brokers.join(','), error);
  }
}

function avroEncodings(registry: SchemaRegistry, { topics }: KafkaCluster): ChangeEncodings {
  return {
    encode: avroChanges(registry, topics.changes),
    encodeTimeseriesValue: avroChanges(registry, topics.timeseriesChanges),
  };
}

/** Opens the registry of the settings once it answers, else the catalog's own. */
async function openSchemaRegistry(
  { schemaRegistryUrl: url }: KafkaSettings,
  schemas: SchemaStore,
  logger: Logger,
): Promise<SchemaRegistry> {
  if (url === undefined) return new OwnSchemaRegistry(schemas);
  const registry = new HttpSchemaRegistry({ url });
  try {
    await untilUp('the schema registry', () => registry.check(), logger);
    return registry;
  } catch (error) {
    const { host, pathname } = new URL(url);
    throw unusable('KAFKA_SCHEMA_REGISTRY_URL', `${host}${pathname}`, error);
  }
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

/** Makes the error of an unusable server, with the setting that names it; `shown` holds no password. */
function unusable(setting: string, shown: string, error: unknown): InvalidSettingError {
  const reason = error instanceof Error ? error.message : String(error);
  return new InvalidSettingError(`${setting}: ${shown} cannot be used: ${reason}`, { cause: error });
}
