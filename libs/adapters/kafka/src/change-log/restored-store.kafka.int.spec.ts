import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  PostgresChangeRelayStore,
  PostgresStoreEpoch,
  type PostgresAspectStore,
} from '@stratalog/adapters-postgres';
import { partitionOf, type ChangeKey } from '@stratalog/domain';
import { datasetUrn, plainBatch, toRange, until } from '@stratalog/testkit';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import { KafkaFixture, PARTITIONS } from '../cluster/kafka.fixture';
import { KafkaChangeLog } from './change-log';
import { ChangeRelay } from './change-relay';
import { readLastChanges } from './topic-tail';

const urn = datasetUrn('restored');
const partition = partitionOf(urn, PARTITIONS);

describe('The change topic, when a server was put back to an older state', () => {
  let fixture: KafkaFixture;
  let store: PostgresAspectStore;
  let relayStore: PostgresChangeRelayStore;
  let cluster: KafkaCluster;

  beforeAll(async () => {
    fixture = await KafkaFixture.create();
  });
  beforeEach(async () => {
    store = await fixture.store({ isPublished: true });
    cluster = await fixture.cluster();
    relayStore = new PostgresChangeRelayStore(fixture.database, PARTITIONS, fixture.changes);
  });
  afterEach(() => fixture.afterEach());
  afterAll(() => fixture.close());

  const startRelay = async (): Promise<ChangeRelay> => {
    const relay = new ChangeRelay(cluster, { store: relayStore, identity: () => store.identity });
    fixture.closing({ close: () => relay.stop() });
    await relay.start();
    return relay;
  };
  const write = async (value: string): Promise<void> => {
    const range = toRange(urn, PARTITIONS, 0);
    const rows = await query('select committed_offset as from from log_partition where partition = $1', [
      partition,
    ]);
    const from = Number(rows[0]?.from ?? 0);
    await store.commit(
      plainBatch([{ ...range, from, to: from + 1 }], [{ urn, aspectName: 'status', value }]),
    );
  };
  const query = (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
    fixture.database.use(async (client) => (await client.query<Record<string, unknown>>(text, values)).rows);
  const lastSeq = async (): Promise<number | undefined> =>
    (await readLastChanges(cluster, [partition], store.identity)).get(partition)?.seq;
  /** Takes the last changes of the store away, as a backup does that is older than they are. */
  const putStoreBack = async (seq: number): Promise<void> => {
    await query('delete from change where partition = $1 and seq > $2', [partition, seq]);
    await query('update store_partition set seq = $2 where partition = $1', [partition, seq]);
    await query('update relay_lease set published = $2 where partition = $1', [partition, seq]);
    await query('update entity set seq = $1', [seq]);
    await query('update aspect_latest set version = $1', [seq]);
  };
  const readReason = (relay: ChangeRelay): string => {
    const status = relay.status();
    return 'reason' in status ? status.reason : '';
  };

  it.each([
    ['ends before the topic', 0, 'and the store ends at 1'],
    ['has grown past the topic again', 4, 'and the store has another change with this number'],
  ])('gets nothing from a store that %s, until an operator says so', async (_how, writes, reason) => {
    const relay = await startRelay();
    for (const value of ['{"n":1}', '{"n":2}', '{"n":3}']) await write(value);
    await until(async () => (await lastSeq()) === 3);
    await relay.stop();
    await putStoreBack(1);
    for (let n = 0; n < writes; n++) await write(`{"again":${String(n)}}`);

    const stopped = await startRelay();
    await until(() => stopped.status().state === 'retrying');
    expect(readReason(stopped)).toContain(reason);
    expect(readReason(stopped)).toContain('Run "stratalog store restored"');
    expect(await lastSeq()).toBe(3);

    const epoch = new PostgresStoreEpoch(fixture.database, (identity) => {
      store.identity = identity;
    });
    const former = store.identity.epoch;
    const { epoch: raised } = await epoch.raise();
    expect([raised, store.identity.epoch]).toEqual([former + 1, former + 1]);
    await write('{"after":true}');
    await until(async () => (await lastSeq()) === 2 + writes);
    await until(() => stopped.status().state === 'running');
  });

  it('gets changes again that it has lost', async () => {
    const relay = await startRelay();
    for (const value of ['{"n":1}', '{"n":2}']) await write(value);
    await until(async () => (await lastSeq()) === 2);
    await relay.stop();
    // Changes that the store knows as published, and that the topic does not have.
    for (const value of ['{"n":3}', '{"n":4}']) await write(value);
    await query('update relay_lease set published = 4 where partition = $1', [partition]);

    await startRelay();
    await until(async () => (await lastSeq()) === 4);
    const seen: ChangeKey[] = [];
    const log = new KafkaChangeLog(cluster, {
      identity: () => store.identity,
      published: () => relayStore.published(),
    });
    const subscription = log.consume(
      { name: 'test', after: () => Promise.resolve(new Map()), maxRecords: 50 },
      ({ records }) => {
        for (const { content } of records) if (content.kind === 'decoded') seen.push(content.value);
        return Promise.resolve({ kind: 'done', results: [] });
      },
    );
    fixture.closing({ close: () => subscription.stop() });
    await subscription.start();
    await until(() => seen.length === 4);
    expect(seen.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  });
});
