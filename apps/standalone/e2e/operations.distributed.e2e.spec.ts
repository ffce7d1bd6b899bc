import { randomBytes } from 'node:crypto';
import { describe } from '@jest/globals';
import { operationsSuite } from './operations/operations-suite';

const name = `t${randomBytes(4).toString('hex')}`;

describe('the calls of operators, distributed', () => {
  operationsSuite({
    STRATALOG_PROFILE: 'distributed',
    STRATALOG_AUTH: 'operations',
    KAFKA_BROKERS: process.env.STRATALOG_TEST_KAFKA_BROKERS ?? '',
    ELASTICSEARCH_URL: process.env.STRATALOG_TEST_ELASTICSEARCH_URL ?? '',
    KAFKA_TOPIC_PREFIX: `${name}.`,
    STRATALOG_INDEX_PREFIX: name,
    STRATALOG_PARTITIONS: '2',
  });
});
