import { afterAll, afterEach, beforeAll, describe } from '@jest/globals';
import { PostgresChangeRelayStore } from '@stratalog/adapters-postgres';
import { changeLogContract } from '@stratalog/testkit';
import { KafkaChangeLog } from './change-log';
import { ChangeRelay } from './change-relay';
import { KafkaFixture, PARTITIONS } from '../cluster/kafka.fixture';

describe('Kafka, fed by the relay', () => {
  let fixture: KafkaFixture;

  beforeAll(async () => {
    fixture = await KafkaFixture.create();
  });
  afterEach(() => fixture.afterEach());
  afterAll(() => fixture.close());

  changeLogContract(async () => {
    const store = await fixture.store();
    const cluster = await fixture.cluster();
    const relayStore = new PostgresChangeRelayStore(fixture.database, PARTITIONS, fixture.changes);
    const identity = () => store.identity;
    const relay = new ChangeRelay(cluster, { store: relayStore, identity });
    fixture.closing({ close: () => relay.stop() });
    await relay.start();
    return { store, log: new KafkaChangeLog(cluster, { identity, published: () => relayStore.published() }) };
  });
});
