import { API_ROUTES } from '@stratalog/api-docs';
import { runApp } from '@stratalog/runtime';
import { adminStage } from '@stratalog/stages-admin';

await runApp({ name: 'admin', stages: [adminStage], routes: API_ROUTES, mainUrl: import.meta.url });
