import { ROUTE_LIST } from '@stratalog/api-docs/route-list';
import { runApp } from '@stratalog/runtime';
import { indexerStage } from '@stratalog/stages-indexer';

await runApp({ name: 'indexer', stages: [indexerStage], routes: ROUTE_LIST, mainUrl: import.meta.url });
