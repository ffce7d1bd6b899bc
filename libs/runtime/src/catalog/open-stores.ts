import {
  PostgresAspectHistory,
  PostgresAspectStore,
  PostgresAuditLog,
  PostgresConsumerCheckpoints,
  PostgresDeadLetters,
  PostgresGraphIndexVersionStore,
  PostgresLatestAspects,
  PostgresRetentionStore,
  PostgresRunStore,
  PostgresStoreEpoch,
  PostgresTaskStore,
  PostgresTimeseriesStorage,
  PostgresTokenStore,
  type Database,
} from '@stratalog/adapters-postgres';
import { TokenVerifier } from '@stratalog/http';
import { StoredIndexVersions } from '@stratalog/indexing';
import type { Notifier } from '@stratalog/concurrency';
import type { Clock } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import type { StoreDeps } from './catalog-deps';
import { modelWatch } from './settle-model';

/** How the stores of a profile are opened. */
export interface StoreOptions {
  readonly clock: Clock;
  /** Number of partitions of a new store; a store keeps its own. */
  readonly partitions: number;
  /** Told of each change. */
  readonly changes: Notifier;
  /** True when changes are published to another log, which keeps them in the store until then. */
  readonly isPublished: boolean;
}

/** Opens what both profiles keep in PostgreSQL. */
export async function openStores(
  database: Database,
  registry: EntityRegistry,
  options: StoreOptions,
): Promise<StoreDeps> {
  const { clock } = options;
  const store = await PostgresAspectStore.open(database, options);
  const logOptions = { ...options, partitions: store.identity.partitions };
  const tokens = new PostgresTokenStore(database);
  return {
    isModelCurrent: modelWatch(database, registry),
    store,
    storeEpoch: new PostgresStoreEpoch(database, (now) => {
      store.identity = now;
    }),
    history: new PostgresAspectHistory(database),
    retentionStore: new PostgresRetentionStore(database, logOptions),
    runs: new PostgresRunStore(database),
    latest: new PostgresLatestAspects(database),
    tasks: new PostgresTaskStore(database),
    audit: new PostgresAuditLog(database),
    tokens,
    tokenVerifier: new TokenVerifier(tokens),
    checkpoints: new PostgresConsumerCheckpoints(database),
    deadLetters: new PostgresDeadLetters(database, clock),
    connectionUse: () => database.connectionUse(),
    timeseries: new PostgresTimeseriesStorage(database, logOptions),
    graphIndexes: new StoredIndexVersions(new PostgresGraphIndexVersionStore(database), clock),
  };
}
