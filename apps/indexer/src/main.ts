import { API_ROUTES } from '@stratalog/api-docs';
import { runApp } from '@stratalog/runtime';
import { indexerStage } from '@stratalog/stages-indexer';

await runApp({ name: 'indexer', stages: [indexerStage], routes: API_ROUTES, mainUrl: import.meta.url });
