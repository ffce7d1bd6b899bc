import { API_ROUTES } from '@stratalog/api-docs';
import { runApp } from '@stratalog/runtime';
import { graphStage } from '@stratalog/stages-graph';

await runApp({ name: 'graph', stages: [graphStage], routes: API_ROUTES, mainUrl: import.meta.url });
