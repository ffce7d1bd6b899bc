import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InvalidSettingError } from '@stratalog/domain';
import { startKafka, type RunningKafka } from '@stratalog/local-stack';
import kafkajs, { type AclOperationTypes } from 'kafkajs';
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
  'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  // The controller's listener has no users.
  'super.users': 'User:admin;User:ANONYMOUS',
  'allow.everyone.if.no.acl.found': 'true',
};

describe('A broker that requires a password', () => {
  let kafka: RunningKafka;

  beforeAll(async () => {
    kafka = await startKafka({ properties: PROPERTIES });
  }, START_MS);
  afterAll(() => kafka.stop());

  const open = (settings: Partial<KafkaSettings>): Promise<KafkaCluster> =>
    KafkaCluster.open({
      brokers: kafka.brokers,
      clientId: 'test',
      partitions: 1,
      prefix: newPrefix(),
      ...settings,
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

  /** Lets the user `catalog` do these things alone with the topics of a prefix. */
  const allow = async (prefix: string, operations: readonly AclOperationTypes[]): Promise<void> => {
    const { Kafka, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes, logLevel } = kafkajs;
    const sasl = { mechanism: 'plain', username: 'admin', password: 'admin-password' } as const;
    const admin = new Kafka({ brokers: [...kafka.brokers], sasl, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    const rule = {
      resourceType: AclResourceTypes.TOPIC,
      resourceName: prefix,
      resourcePatternType: ResourcePatternTypes.PREFIXED,
      principal: 'User:catalog',
      host: '*',
      permissionType: AclPermissionTypes.ALLOW,
    };
    await admin.createAcls({ acl: operations.map((operation) => ({ ...rule, operation })) });
    await admin.disconnect();
  };

  it('a broker that requires a password and hides the configuration of topics starts the catalog, with one warning', async () => {
    const prefix = newPrefix();
    const { CREATE, DESCRIBE, READ, WRITE } = kafkajs.AclOperationTypes;
    await allow(prefix, [CREATE, DESCRIBE, READ, WRITE]);
    const told: string[] = [];
    const log: KafkaSettings['log'] = (level, text) => {
      if (level !== 'debug') told.push(text);
    };
    const cluster = await open({ ...plain('catalog-password'), prefix, log });
    expect(told).toEqual([
      'Kafka does not describe the configuration of the topics to this user; it is not checked',
    ]);
    expect(await cluster.readMaxValueBytes([cluster.topics.changes])).toBeUndefined();
    await cluster.close();
  });
});
