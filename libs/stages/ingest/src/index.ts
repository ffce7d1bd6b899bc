export { INGEST_CONTROLLERS, ingestStage } from './ingest.module';
export { type IngestRoutes } from './ingest-routes';
