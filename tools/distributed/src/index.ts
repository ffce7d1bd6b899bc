export { appEnvironment, type AppPlace } from './app-environment';
export { AppProcess, type AppOptions } from './app-process';
