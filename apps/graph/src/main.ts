import { runApp } from '@stratalog/runtime';
import { graphStage } from '@stratalog/stages-graph';

await runApp('graph', [graphStage], import.meta.url);
