import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  PostgresAspectHistory,
  PostgresChangeRelayStore,
  PostgresRetentionStore,
  type PostgresAspectStore,
} from '@stratalog/adapters-postgres';
import { systemClock } from '@stratalog/concurrency';
import type { Truncation } from '@stratalog/ports';
import { datasetUrn, plainBatch, toRange, until } from '@stratalog/testkit';
import { ChangeRelay } from './change-relay';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import { KafkaFixture, PARTITIONS } from '../cluster/kafka.fixture';

const aspectName = 'datasetProperties';

/** Retention is configured to keep only the last version, and the relay has not published all versions. */
describe('Retention while the relay publishes', () => {
  let fixture: KafkaFixture;
  let store: PostgresAspectStore;
  let cluster: KafkaCluster;
  let relayStore: PostgresChangeRelayStore;
  let retention: PostgresRetentionStore;
  let written: number;
  const urn = datasetUrn('kept-for-the-relay');
  const { partition } = toRange(urn, PARTITIONS, 0);

  beforeAll(async () => {
    fixture = await KafkaFixture.create();
  });
  beforeEach(async () => {
    store = await fixture.store({ isPublished: true });
    cluster = await fixture.cluster();
    relayStore = new PostgresChangeRelayStore(fixture.database, PARTITIONS, fixture.changes);
    const options = { clock: systemClock, partitions: PARTITIONS, isPublished: true };
    retention = new PostgresRetentionStore(fixture.database, options);
    written = 0;
  });
  afterEach(() => fixture.afterEach());
  afterAll(() => fixture.close());

  const upTo = (version: number): Truncation => ({
    urn,
    aspectName,
    upTo: version,
    beforeMs: Number.MAX_SAFE_INTEGER,
  });
  /** Writes a version that truncates all before it, as a writer's commit does. */
  const write = async (): Promise<void> => {
    const version = ++written;
    const plain = plainBatch(
      [{ partition, from: version - 1, to: version }],
      [{ urn, aspectName, value: `{"version":${String(version)}}` }],
    );
    await store.commit({
      ...plain,
      decide: (snapshot) => ({
        ...plain.decide(snapshot),
        ...(version > 1 && { truncations: [upTo(version - 1)] }),
      }),
    });
  };
  const startRelay = async (): Promise<ChangeRelay> => {
    const relay = new ChangeRelay(cluster, { store: relayStore, identity: () => store.identity });
    fixture.closing({ close: () => relay.stop() });
    await relay.start();
    return relay;
  };
  const isPublished = async (): Promise<boolean> =>
    ((await relayStore.published()).get(partition) ?? 0) === written;
  const readStoredVersions = async (): Promise<readonly number[]> => {
    const range = { urn, aspectName, from: 1, to: 10_000, newestFirst: false, limit: 10_000 };
    const page = await new PostgresAspectHistory(fixture.database).listVersions(range);
    return (page?.versions ?? []).flatMap(({ version, value }) => (value === undefined ? [] : [version]));
  };
  /** Reads the values in the topic, or the reason of a missing value. */
  const publishedValues = async (): Promise<readonly unknown[]> => {
    const { high } = (await cluster.readWatermarks(cluster.topics.changes)).get(partition) ?? { high: 0 };
    const values: unknown[] = [];
    for (let offset = 0; offset < high; offset++) {
      const message = await cluster.raw.firstFrom(cluster.topics.changes, partition, offset);
      if (message === undefined || Number(message.offset) !== offset) continue;
      const body = JSON.parse(String(message.value)) as { readonly aspect?: { readonly value: string } };
      const missing = message.headers?.['stratalog-value']?.toString();
      values.push(missing ?? body.aspect?.value);
    }
    return values;
  };
  const allValues = (): readonly string[] =>
    Array.from({ length: written }, (_, at) => `{"version":${String(at + 1)}}`);

  it('purges nothing before the relay publishes, and everything afterwards', async () => {
    for (let n = 0; n < 30; n++) await write();
    expect(await retention.truncate([upTo(29)])).toEqual([]);
    expect(await readStoredVersions()).toHaveLength(30);
    await startRelay();
    await until(isPublished);
    expect(await retention.truncate([upTo(29)])).toMatchObject([{ from: 1, to: 29 }]);
    expect(await readStoredVersions()).toEqual([30]);
    expect(await publishedValues()).toEqual(allValues());
  });

  it('purges no value that the relay has not published yet, however close it follows', async () => {
    const relay = await startRelay();
    const relays = [relay];
    for (let round = 0; round < 4; round++) {
      const isOver = { yes: false };
      const truncating = (async () => {
        while (!isOver.yes) await retention.truncate([upTo(Math.max(1, written - 1))]);
      })();
      for (let n = 0; n < 60; n++) await write();
      // The publishing relay stops with unpublished versions, and another takes over.
      await relays.at(-1)?.stop();
      for (let n = 0; n < 20; n++) await write();
      relays.push(await startRelay());
      isOver.yes = true;
      await truncating;
    }
    await until(isPublished);
    await retention.truncate([upTo(written - 1)]);
    expect((await readStoredVersions()).length).toBeLessThan(written);
    expect(new Set(await publishedValues())).toEqual(new Set(allValues()));
  });
});
