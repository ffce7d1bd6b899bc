/**
 * Returns the settings of a distributed catalog in one process, on the servers of this run of the tests. Topics and indices of another
 * name belong to other suites.
 */
export function distributedSettings(name: string) {
  return {
    STRATALOG_PROFILE: 'distributed',
    STRATALOG_AUTH: 'operations',
    KAFKA_BROKERS: process.env.STRATALOG_TEST_KAFKA_BROKERS ?? '',
    ELASTICSEARCH_URL: process.env.STRATALOG_TEST_ELASTICSEARCH_URL ?? '',
    KAFKA_TOPIC_PREFIX: `${name}.`,
    STRATALOG_INDEX_PREFIX: name,
    STRATALOG_PARTITIONS: '2',
  };
}
