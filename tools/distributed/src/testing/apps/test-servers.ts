import { randomBytes } from 'node:crypto';
import { plainEnvironment } from '@stratalog/harness';

export const TOKEN = 'the-token-of-the-operator';

/**
 * The settings of a distributed catalog on the servers of the test run, with its own topics and indices, in a
 * given database.
 */
export function onTestServers(databaseUrl: string): NodeJS.ProcessEnv {
  const name = `t${randomBytes(4).toString('hex')}`;
  return {
    ...plainEnvironment(),
    DATABASE_URL: databaseUrl,
    KAFKA_BROKERS: process.env.STRATALOG_TEST_KAFKA_BROKERS,
    ELASTICSEARCH_URL: process.env.STRATALOG_TEST_ELASTICSEARCH_URL,
    KAFKA_TOPIC_PREFIX: `${name}.`,
    STRATALOG_INDEX_PREFIX: name,
    STRATALOG_PARTITIONS: '4',
    STRATALOG_TOKEN: TOKEN,
    // Authentication is the subject of few suites.
    STRATALOG_AUTH: 'operations',
    // A busy machine must not cause a 503.
    STRATALOG_COMMIT_TIMEOUT_MS: String(limitMs(60_000)),
    STRATALOG_POSITION_TIMEOUT_MS: String(limitMs(60_000)),
  };
}
