export { appEnvironment, type AppPlace } from './app-environment';
