import { runApp } from '@stratalog/runtime';
import { writerStage } from '@stratalog/stages-writer';

await runApp('writer', [writerStage], import.meta.url);
