export { abortOnSignals } from './command/abort-on-signals';
export { answerUsage, folderName, integerFrom, parseTool, type Usage } from './command/parse-tool';
export { freePort } from './processes/free-ports';
export { startKafka, type KafkaOptions, type RunningKafka } from './servers/kafka';
export {
  startLocalStack,
  type Addresses,
  type LocalStack,
  type LocalStackOptions,
} from './command/local-stack';
export { startPostgres, type PostgresOptions, type RunningPostgres } from './servers/postgres';
export type { RunningServer, ServerOptions } from './processes/running-server';
export { defaultCacheDir } from './processes/maven-artifacts';
export {
  startSearchEngine,
  type RunningSearchEngine,
  type SearchEngineKind,
  type SearchEngineOptions,
} from './servers/search-engine';
