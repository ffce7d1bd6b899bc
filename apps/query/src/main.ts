import { docsStage } from '@stratalog/api-docs';
import { runApp } from '@stratalog/runtime';
import { queryStage } from '@stratalog/stages-query';

await runApp('query', [queryStage, docsStage], import.meta.url);
