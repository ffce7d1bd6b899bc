export { PostgresAspectHistory } from './history/aspect-history';
export { PostgresStoreEpoch } from './aspect-store/store-epoch';
export { PostgresAspectStore } from './aspect-store/aspect-store';
export { PostgresChangeLog } from './change-log/change-log';
export { PostgresChangeRelayStore } from './change-log/change-relay-store';
export { Database } from './database/database';
export { PostgresGraphIndexVersionStore } from './graph/graph-index-version-store';
export { PostgresInstanceRegistry } from './registries/instance-registry';
export { PostgresLogOffsets } from './proposal-log/log-offsets';
export { createFolder } from './embedded-server/create-folder';
export type { DiskRoom } from './embedded-server/disk-room';
export { openEmbeddedServer, type EmbeddedServer } from './embedded-server/open-embedded-server';
export { openPostgresStores, type PostgresStores } from './postgres-stores';
export { PostgresProposalTable } from './proposal-log/proposal-table';
export { PostgresRetentionStore } from './retention/retention-store';
export { PostgresCallCounts } from './call-counts/call-counts';
export { PostgresSchemaStore } from './registries/schema-store';
export {
  createScratchDatabase,
  type ScratchDatabase,
  type ScratchSession,
} from './database/scratch-database';
export { PostgresSearchIndexVersionStore } from './search/search-index-version-store';
export { PostgresStoreClock } from './aspect-store/store-clock';
export { PostgresStoredModel } from './registries/stored-model';
export { PostgresTaskStore } from './tasks/task-store';
export { PostgresTimeseriesStorage } from './timeseries-storage/timeseries-storage';
export { PostgresTimeseriesStatistics } from './timeseries/timeseries-statistics';
export { PostgresTimeseriesSource } from './timeseries/timeseries-source';
