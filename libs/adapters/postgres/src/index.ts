export { PostgresAspectHistory } from './aspect-store/aspect-history';
export { PostgresAspectStore } from './aspect-store/aspect-store';
export { PostgresChangeLog } from './change-log/change-log';
export { PostgresChangeRelayStore } from './change-log/change-relay-store';
export { Database } from './database/database';
export { ChangeNotifier } from './database/change-notifier';
export { PostgresGraphIndexVersionStore } from './graph/graph-index-version-store';
export { PostgresInstanceRegistry } from './registries/instance-registry';
export { PostgresLogOffsets } from './proposal-log/log-offsets';
export { createFolder } from './embedded-server/create-folder';
export { openEmbeddedServer, type EmbeddedServer } from './embedded-server/open-embedded-server';
export { PostgresDeadLetters } from './proposal-log/dead-letters';
export { PostgresProposalLog } from './proposal-log/proposal-log';
export { PostgresRetentionStore } from './retention/retention-store';
export { PostgresRunStore } from './runs/run-store';
export { PostgresSchemaStore } from './registries/schema-store';
export {
  createScratchDatabase,
  type ScratchDatabase,
  type ScratchSession,
} from './database/scratch-database';
export { PostgresSearchIndexVersionStore } from './search/search-index-version-store';
export { PostgresStoreClock } from './aspect-store/store-clock';
export { PostgresStoredModel } from './registries/stored-model';
