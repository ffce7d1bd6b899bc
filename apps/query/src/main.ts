import { docsStage } from '@stratalog/api-docs';
import { ROUTE_LIST } from '@stratalog/api-docs/route-list';
import { mcpStage } from '@stratalog/mcp';
import { runApp } from '@stratalog/runtime';
import { queryStage } from '@stratalog/stages-query';

await runApp({
  name: 'query',
  stages: [queryStage, mcpStage, docsStage],
  routes: ROUTE_LIST,
  mainUrl: import.meta.url,
});
