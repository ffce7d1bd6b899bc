export { abortOnSignals } from './abort-on-signals';
export { answerUsage, type Usage } from './answer-usage';
export { freePort } from './free-ports';
export { startKafka, type KafkaOptions, type RunningKafka } from './kafka';
export { startLocalStack, type Addresses, type LocalStack, type LocalStackOptions } from './local-stack';
export { startPostgres, type PostgresOptions, type RunningPostgres } from './postgres';
export type { RunningServer, ServerOptions } from './running-server';
export { defaultCacheDir } from './maven-artifacts';
export {
  startSearchEngine,
  type RunningSearchEngine,
  type SearchEngineKind,
  type SearchEngineOptions,
} from './search-engine';
