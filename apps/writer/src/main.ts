import { ROUTE_LIST } from '@stratalog/api-docs/route-list';
import { runApp } from '@stratalog/runtime';
import { writerStage } from '@stratalog/stages-writer';

await runApp({ name: 'writer', stages: [writerStage], routes: ROUTE_LIST, mainUrl: import.meta.url });
