import { runApp } from '@stratalog/runtime';
import { adminStage } from '@stratalog/stages-admin';

await runApp('admin', [adminStage], import.meta.url);
