export { ingestStage } from './ingest.module';
