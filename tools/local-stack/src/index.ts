export { freePort } from './free-ports';
export { startKafka, type KafkaOptions, type RunningKafka } from './kafka';
export type { RunningServer, ServerOptions } from './running-server';
export {
  startSearchEngine,
  type RunningSearchEngine,
  type SearchEngineKind,
  type SearchEngineOptions,
} from './search-engine';
