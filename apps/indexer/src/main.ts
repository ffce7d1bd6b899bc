import { runApp } from '@stratalog/runtime';
import { indexerStage } from '@stratalog/stages-indexer';

await runApp('indexer', [indexerStage], import.meta.url);
