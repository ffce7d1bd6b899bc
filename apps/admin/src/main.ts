import { ROUTE_LIST } from '@stratalog/api-docs/route-list';
import { runApp } from '@stratalog/runtime';
import { adminStage } from '@stratalog/stages-admin';

await runApp({ name: 'admin', stages: [adminStage], routes: ROUTE_LIST, mainUrl: import.meta.url });
