import { Notifier } from '@stratalog/concurrency';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@stratalog/domain';
import { datasetUrn, plainBatch, toRange } from '@stratalog/testkit';
import { PostgresAspectHistory } from '../history/aspect-history';
import { PostgresAspectStore } from './aspect-store';
import { PostgresStoreClock } from './store-clock';
import { useSuiteDatabase } from '../testing/suite-database';

const URN = datasetUrn('orders');
const ASPECT = { urn: URN, aspectName: 'datasetProperties' };

describe('A store and its clock', () => {
  const suite = useSuiteDatabase();
  let store: PostgresAspectStore;
  let storeClock: PostgresStoreClock;
  let doubt: string | undefined;
  const clock = { time: 1_000, now: () => clock.time, doubt: () => doubt };

  beforeAll(() => {
    storeClock = new PostgresStoreClock(suite.database);
  });
  beforeEach(async () => {
    doubt = undefined;
    clock.time = 1_000;
    await suite.database.use((client) =>
      client.query('truncate change, entity, aspect_latest, store_partition, log_partition, store_clock'),
    );
    store = await PostgresAspectStore.open(suite.database, {
      clock,
      partitions: 2,
      changes: new Notifier(),
    });
  });

  const write = (value: string, from: number) =>
    store.commit(plainBatch([toRange(URN, 2, from)], [{ ...ASPECT, value }]));
  const stamps = async () =>
    (
      await suite.database.use((client) =>
        client.query<{ created_ms: number }>('select created_ms from change order by version'),
      )
    ).rows.map((row) => row.created_ms);

  it('rejects writes while the clock is implausible', async () => {
    await write('1', 0);
    doubt = 'It is wrong.';
    await expect(write('2', 1)).rejects.toThrow(UnavailableError);
    await expect(write('2', 1)).rejects.toThrow('Writes are rejected: It is wrong.');
    expect(await stamps()).toEqual([1_000]);
    doubt = undefined;
    await write('2', 1);
    expect(await stamps()).toEqual([1_000, 1_000]);
  });

  it('reads the last stamp, the last use of the store and the time of the server', async () => {
    expect(await storeClock.read()).toMatchObject({ lastStampMs: 0, lastSeenMs: 0 });
    await write('1', 0);
    await storeClock.seen(900);
    await storeClock.seen(800);
    const { serverMs, ...others } = await storeClock.read();
    expect(others).toEqual({ lastStampMs: 1_000, lastSeenMs: 800 });
    expect(serverMs).toBeGreaterThan(Date.UTC(2026, 0));
  });

  it('corrects stamps in the future: versions stay in order, and a read as of now returns the latest', async () => {
    await write('1', 0);
    clock.time = 50_000;
    await write('2', 1);
    await write('3', 2);
    clock.time = 2_000;
    const history = new PostgresAspectHistory(suite.database);
    const asOf = async (timeMs: number) =>
      (await history.entityAt({ urn: URN, timeMs })).aspects.map(({ version }) => version);
    expect(await asOf(2_000)).toEqual([1]);

    expect(await storeClock.correct(2_000)).toBe(2);
    expect(await stamps()).toEqual([1_000, 2_000, 2_000]);
    expect(await asOf(2_000)).toEqual([3]);
    expect(await asOf(1_999)).toEqual([1]);
    expect(await storeClock.read()).toMatchObject({ lastStampMs: 2_000 });
    expect(await storeClock.correct(2_000)).toBe(0);
    clock.time = 2_500;
    await write('4', 3);
    expect(await stamps()).toEqual([1_000, 2_000, 2_000, 2_500]);
    expect((await store.readEntity(URN))?.aspects[0]).toMatchObject({ version: 4 });
  });
});
