export { AspectsController } from './aspects.controller';
export { ingestStage } from './ingest.module';
