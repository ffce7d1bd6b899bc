export { type CatalogParts } from './catalog-parts';
export { createLogger, type Logger } from './logger';
export { OPERATOR_TOKEN_FILE } from './operator-token';
export { run, type CatalogStage, type RunningCatalog, type RunOptions } from './run';
export { LOG_LEVELS, SETTINGS, parseSettings, unknownSettings, type Settings } from './settings';
export { VERSION } from './version';
