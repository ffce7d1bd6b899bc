// For suites of apps, which may not import the adapter: an empty database on a running server.
export {
  createScratchDatabase,
  type ScratchDatabase,
  type ScratchSession,
} from '@stratalog/adapters-postgres';
export { SERVER_CONTROLLERS } from './health/server-controllers';
export { type RoleHealth } from './health/role-health';
export { type ServerRoutes } from './health/server-routes';
export { type CatalogDeps } from './catalog/catalog-deps';
export { listenOn } from './environment/listen-on';
export { createLogger } from './logging/logger';
export { operatorToken } from './settings/operator-token';
export { writeAddress } from './settings/write-address';
export { ignoreOutputErrors } from './process/ignore-output-errors';
export { logLine } from './logging/log-line';
export { run, type CatalogStage, type RunningCatalog } from './process/run';
export { runApp } from './process/run-app';
export { DRAINING_SIGNAL, waitForSignal } from './process/wait-for-signal';
export { runProgram } from './process/run-program';
export { settingsText } from './settings/settings-text';
export { APPS, PROXY, type App } from './settings/distributed-settings';
export { SETTINGS, SETTING_GROUPS } from './settings/settings';
export { givenSetting } from './settings/setting-kinds';
export { shellWord } from './environment/shell-word';
export { parseSettings, type Settings } from './settings/settings';
