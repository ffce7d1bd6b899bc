import { API_ROUTES, docsStage } from '@stratalog/api-docs';
import { runApp } from '@stratalog/runtime';
import { queryStage } from '@stratalog/stages-query';

await runApp({
  name: 'query',
  stages: [queryStage, docsStage],
  routes: API_ROUTES,
  mainUrl: import.meta.url,
});
