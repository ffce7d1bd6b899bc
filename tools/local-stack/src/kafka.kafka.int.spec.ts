import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Kafka, logLevel } from 'kafkajs';

describe('the broker of a test run', () => {
  const brokers = (process.env.STRATALOG_TEST_KAFKA_BROKERS ?? '').split(',');
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
  beforeAll(() => admin.connect());
  afterAll(() => admin.disconnect());

  it('answers', async () => {
    expect((await admin.describeCluster()).brokers).toHaveLength(1);
  });
});
