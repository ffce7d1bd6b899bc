import { randomBytes } from 'node:crypto';
import { describe } from '@jest/globals';
import { distributedSettings } from '../testing/catalog/distributed-settings';
import { longColumnsSuite } from './long-columns-suite';

const environment = () => ({
  ...distributedSettings(`t${randomBytes(4).toString('hex')}`),
  STRATALOG_TOKEN: 'the-token-of-the-operator',
});

describe('Kafka and OpenSearch:', () => {
  longColumnsSuite({ environment: environment() });
});

describe('Kafka and Elasticsearch:', () => {
  longColumnsSuite({
    environment: {
      ...environment(),
      ELASTICSEARCH_URL: process.env.STRATALOG_TEST_ELASTICSEARCH_8_URL ?? '',
    },
  });
});
