export { AspectsController } from './proposals/aspects.controller';
export { RetentionController } from './retention/retention.controller';
export { RunsController } from './runs/runs.controller';
export { SchemaRegistryController } from './schemas/schema-registry.controller';
export { SnapshotsController } from './snapshots/snapshots.controller';
export { UsageIngestController } from './usage/usage.controller';
export { ingestStage } from './ingest.module';
export { DeletionController } from './deletion/deletion.controller';
export { type IngestRoutes } from './ingest-routes';
