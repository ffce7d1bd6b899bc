import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InvalidSettingError } from '@stratalog/model';
import { startKafka, type RunningKafka } from '@stratalog/local-stack';
import { KafkaCluster, type KafkaSettings } from './kafka-cluster';
import { newPrefix } from './kafka.fixture';

const START_MS = limitMs(180_000);
const LOGIN =
  'org.apache.kafka.common.security.plain.PlainLoginModule required username="admin" password="admin-password"';
const USERS = 'user_admin="admin-password" user_catalog="catalog-password"';

/** The broker's one listener keeps its name and requires user and password. */
const PROPERTIES = {
  'listener.security.protocol.map': 'PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT',
  'inter.broker.listener.name': 'PLAINTEXT',
  'sasl.enabled.mechanisms': 'PLAIN',
  'sasl.mechanism.inter.broker.protocol': 'PLAIN',
  'listener.name.plaintext.plain.sasl.jaas.config': `${LOGIN} ${USERS};`,
};

describe('A broker that requires a password', () => {
  let kafka: RunningKafka;

  beforeAll(async () => {
    kafka = await startKafka({ properties: PROPERTIES });
  }, START_MS);
  afterAll(() => kafka.stop());

  const open = (sasl: Pick<KafkaSettings, 'sasl'>): Promise<KafkaCluster> =>
    KafkaCluster.open({
      brokers: kafka.brokers,
      clientId: 'test',
      partitions: 1,
      prefix: newPrefix(),
      ...sasl,
    });
  const plain = (password: string): Pick<KafkaSettings, 'sasl'> => ({
    sasl: { mechanism: 'plain', username: 'catalog', password },
  });

  it('accepts the right password', async () => {
    const cluster = await open(plain('catalog-password'));
    expect([...(await cluster.readWatermarks(cluster.topics.proposals))]).toEqual([[0, { low: 0, high: 0 }]]);
    expect((await cluster.raw.describeTopic(cluster.topics.proposals)).id).toMatch(/^[0-9a-f]{32}$/);
    await cluster.close();
  });

  it.each([
    ['a wrong password', plain('other'), 'Kafka rejected us: SASL PLAIN authentication failed'],
    [
      'a mechanism that it does not support',
      { sasl: { mechanism: 'scram-sha-256', username: 'catalog', password: 'catalog-password' } } as const,
      'Kafka rejected us: ',
    ],
  ])('rejects %s at once', async (_name, sasl, reason) => {
    const opening = open(sasl);
    await expect(opening).rejects.toThrow(InvalidSettingError);
    await expect(opening).rejects.toThrow(reason);
    await expect(opening).rejects.not.toThrow('catalog-password');
  });
});
