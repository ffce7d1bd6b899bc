import { ROUTE_LIST } from '@stratalog/api-docs/route-list';
import { runApp } from '@stratalog/runtime';
import { graphStage } from '@stratalog/stages-graph';

await runApp({ name: 'graph', stages: [graphStage], routes: ROUTE_LIST, mainUrl: import.meta.url });
