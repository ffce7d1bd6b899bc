import { API_ROUTES } from '@stratalog/api-docs';
import { runApp } from '@stratalog/runtime';
import { ingestStage } from '@stratalog/stages-ingest';

await runApp({ name: 'ingest', stages: [ingestStage], routes: API_ROUTES, mainUrl: import.meta.url });
