import { runApp } from '@stratalog/runtime';
import { ingestStage } from '@stratalog/stages-ingest';

await runApp('ingest', [ingestStage], import.meta.url);
