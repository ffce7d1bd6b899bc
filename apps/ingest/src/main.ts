import { ROUTE_LIST } from '@stratalog/api-docs/route-list';
import { runApp } from '@stratalog/runtime';
import { ingestStage } from '@stratalog/stages-ingest';

await runApp({ name: 'ingest', stages: [ingestStage], routes: ROUTE_LIST, mainUrl: import.meta.url });
