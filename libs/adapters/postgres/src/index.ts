export { PostgresAspectHistory } from './aspect-history';
export { PostgresAspectStore, type AspectStoreOptions } from './aspect-store';
export { PostgresChangeLog } from './change-log';
export { PostgresChangeRelayStore } from './change-relay-store';
export { Database, type DatabaseSettings } from './database';
export { Doorbell } from './doorbell';
export { PostgresGraphIndexes } from './graph-indexes';
export { PostgresInstanceRegistry } from './instance-registry';
export { PostgresLogOffsets } from './log-offsets';
export {
  openEmbeddedServer,
  type EmbeddedServer,
  type EmbeddedServerOptions,
} from './embedded-server/open-embedded-server';
export { PostgresParkedProposals } from './parked-proposals';
export { PostgresProposalLog, type ProposalLogOptions } from './proposal-log';
export { PostgresRetentionStore } from './retention-store';
export { PostgresRunStore } from './run-store';
export { PostgresSchemaStore } from './schema-store';
export { createScratchDatabase, type ScratchDatabase, type ScratchSession } from './scratch-database';
export { PostgresSearchIndexes } from './search-indexes';
export { PostgresStoreClock } from './store-clock';
export { PostgresStoredModel } from './stored-model';
