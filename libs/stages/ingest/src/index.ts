export { AspectsController } from './aspects.controller';
export { RetentionController } from './retention.controller';
export { RunsController } from './runs.controller';
export { SchemaRegistryController } from './schema-registry.controller';
export { SnapshotsController } from './snapshots.controller';
export { ingestStage } from './ingest.module';
export { DeletionController } from './deletion.controller';
