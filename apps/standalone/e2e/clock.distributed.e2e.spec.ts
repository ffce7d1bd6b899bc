import { randomBytes } from 'node:crypto';
import { clockStepsSuite } from './testing/faults/clock-steps';

const name = `t${randomBytes(4).toString('hex')}`;

clockStepsSuite(
  'on Kafka and a search engine',
  {
    STRATALOG_PROFILE: 'distributed',
    STRATALOG_AUTH: 'operations',
    KAFKA_BROKERS: process.env.STRATALOG_TEST_KAFKA_BROKERS ?? '',
    ELASTICSEARCH_URL: process.env.STRATALOG_TEST_ELASTICSEARCH_URL ?? '',
    KAFKA_TOPIC_PREFIX: `${name}.`,
    STRATALOG_INDEX_PREFIX: name,
    STRATALOG_PARTITIONS: '2',
  },
  { waitMs: 90_000, isLogOurs: false },
);
