import { randomBytes } from 'node:crypto';
import { describe } from '@jest/globals';
import { referencedFieldsSuite } from './references/referenced-fields-suite';

const name = `t${randomBytes(4).toString('hex')}`;

describe('fields of referenced entities, distributed', () => {
  referencedFieldsSuite(
    {
      STRATALOG_PROFILE: 'distributed',
      STRATALOG_AUTH: 'operations',
      KAFKA_BROKERS: process.env.STRATALOG_TEST_KAFKA_BROKERS ?? '',
      ELASTICSEARCH_URL: process.env.STRATALOG_TEST_ELASTICSEARCH_URL ?? '',
      KAFKA_TOPIC_PREFIX: `${name}.`,
      STRATALOG_INDEX_PREFIX: name,
      STRATALOG_PARTITIONS: '2',
    },
    limitMs(60_000),
  );
});
