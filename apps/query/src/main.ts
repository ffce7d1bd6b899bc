import { runApp } from '@stratalog/runtime';
import { queryStage } from '@stratalog/stages-query';

await runApp('query', [queryStage], import.meta.url);
