import { API_ROUTES } from '@stratalog/api-docs';
import { runApp } from '@stratalog/runtime';
import { writerStage } from '@stratalog/stages-writer';

await runApp({ name: 'writer', stages: [writerStage], routes: API_ROUTES, mainUrl: import.meta.url });
