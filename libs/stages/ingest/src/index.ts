export { AspectsController } from './aspects.controller';
export { SchemaRegistryController } from './schema-registry.controller';
export { ingestStage } from './ingest.module';
export { DeletionController } from './deletion.controller';
