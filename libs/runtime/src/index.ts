// For suites of apps, which may not reach the adapter: an empty database on a server that is there.
export {
  createScratchDatabase,
  type ScratchDatabase,
  type ScratchSession,
} from '@stratalog/adapters-postgres';
export { ConfigController } from './config.controller';
export { HealthController } from './health.controller';
export { type InstanceHealth } from './heartbeat';
export { type CatalogParts } from './catalog-parts';
export { listeningUrl } from './listening-url';
export { createLogger, type Logger } from './logger';
export { operatorToken } from './operator-token';
export { outliveOutput } from './outlive-output';
export { logLine } from './log-line';
export { run, type CatalogStage, type RunningCatalog, type RunOptions } from './run';
export { runApp } from './run-app';
export { untilTold } from './until-told';
export { runProgram, settingsText, type Program } from './run-program';
export { APPS, urlsSetting, type App } from './distributed-setting-specs';
export { SETTINGS } from './setting-specs';
export { givenSetting } from './setting-kinds';
export { shellWord } from './shell-word';
export { parseSettings, type Settings } from './settings';
