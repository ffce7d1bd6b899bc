import type { Notifier } from '@stratalog/concurrency';
import type {
  AspectHistory,
  AspectStore,
  AuditLog,
  Clock,
  ConsumerCheckpoints,
  DeadLetters,
  LatestAspects,
  RetentionStore,
  RunStore,
  StoreEpoch,
  TaskStore,
  TimeseriesStorage,
  TokenStore,
} from '@stratalog/ports';
import { PostgresAspectStore } from './aspect-store/aspect-store';
import { PostgresLatestAspects } from './aspect-store/latest-aspects';
import { PostgresStoreEpoch } from './aspect-store/store-epoch';
import { PostgresAuditLog } from './audit/audit-log';
import { PostgresConsumerCheckpoints } from './change-log/consumer-checkpoints';
import type { Database } from './database/database';
import { PostgresAspectHistory } from './history/aspect-history';
import { PostgresDeadLetters } from './proposal-log/dead-letters';
import { PostgresRetentionStore } from './retention/retention-store';
import { PostgresRunStore } from './runs/run-store';
import { PostgresTaskStore } from './tasks/task-store';
import { PostgresTimeseriesStorage } from './timeseries-storage/timeseries-storage';
import { PostgresTokenStore } from './tokens/token-store';

/** The ports that PostgreSQL alone implements, over one database. */
export interface PostgresStores {
  readonly store: AspectStore;
  readonly storeEpoch: StoreEpoch;
  readonly history: AspectHistory;
  readonly retentionStore: RetentionStore;
  readonly runs: RunStore;
  readonly latest: LatestAspects;
  readonly tasks: TaskStore;
  readonly audit: AuditLog;
  readonly tokens: TokenStore;
  /** How far consumers of the change log are that keep no derived data. */
  readonly checkpoints: ConsumerCheckpoints;
  readonly deadLetters: DeadLetters;
  readonly timeseries: TimeseriesStorage;
  /** How the connections to the database are used, for metrics. */
  readonly connectionUse: Database['connectionUse'];
}

interface StoreOptions {
  readonly clock: Clock;
  /** Number of partitions of a new store; a store keeps its own. */
  readonly partitions: number;
  /** Told of each change. */
  readonly changes: Notifier;
  /** True when changes are published to another log, which keeps them in the store until then. */
  readonly isPublished: boolean;
}

/** Opens the stores of a database, and creates the aspect store if there is none yet. */
export async function openPostgresStores(database: Database, options: StoreOptions): Promise<PostgresStores> {
  const store = await PostgresAspectStore.open(database, options);
  const commitContext = { ...options, partitions: store.identity.partitions };
  return {
    store,
    storeEpoch: new PostgresStoreEpoch(database, (now) => {
      store.identity = now;
    }),
    history: new PostgresAspectHistory(database),
    retentionStore: new PostgresRetentionStore(database, commitContext),
    runs: new PostgresRunStore(database),
    latest: new PostgresLatestAspects(database),
    tasks: new PostgresTaskStore(database),
    audit: new PostgresAuditLog(database),
    tokens: new PostgresTokenStore(database),
    checkpoints: new PostgresConsumerCheckpoints(database),
    deadLetters: new PostgresDeadLetters(database, options.clock),
    timeseries: new PostgresTimeseriesStorage(database, commitContext),
    connectionUse: () => database.connectionUse(),
  };
}
