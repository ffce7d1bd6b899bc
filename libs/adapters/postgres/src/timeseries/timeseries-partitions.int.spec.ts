import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@stratalog/ports';
import { datasetUrn, timeseriesBatch, toRange, until } from '@stratalog/testkit';
import { PostgresAspectStore } from '../aspect-store/aspect-store';
import { Database } from '../database/database';
import { ChangeNotifier } from '../database/change-notifier';
import { createScratchDatabase, type ScratchDatabase } from '../database/scratch-database';

const PARTITIONS = 8;
const WRITERS = 4;
const MONTH_MS = 2_629_800_000;

const WAITING =
  "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
const KILL_ATTACHING = `select pg_terminate_backend(pid) from (${WAITING} and query ~ 'attach partition') w`;
/** Whoever has given up the month goes on with the commit. */
const WAITING_TO_WRITE = `${WAITING} and query ~ 'insert into timeseries_value '`;

/** Writers as they run in as many processes: each with connections, and knowledge of which months there are, of its own. */
describe('Months of points', () => {
  let scratch: ScratchDatabase;
  let databases: Database[];
  let stores: PostgresAspectStore[];
  let logged: Map<number, number>;
  const thisMonth = Date.now();
  const aspectName = 'datasetProfile';
  const urns = Array.from({ length: 64 }, (_, at) => datasetUrn(`racing-${String(at)}`));

  beforeAll(async () => {
    scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
  });
  beforeEach(async () => {
    databases = await Promise.all(
      Array.from({ length: WRITERS }, () => Database.open({ url: scratch.url, poolSize: 3 })),
    );
    const options = { clock: systemClock, partitions: PARTITIONS, changes: new ChangeNotifier() };
    stores = await Promise.all(databases.map((database) => PostgresAspectStore.open(database, options)));
    const { rows } = await first().use((client) =>
      client.query<{ partition: number; applied: number }>('select partition, applied from log_partition'),
    );
    logged = new Map(rows.map(({ partition, applied }) => [partition, applied]));
  });
  afterEach(async () => {
    for (const month of await months()) {
      await first().use((client) => client.query(`drop table ${month}`));
    }
    await first().use((client) => client.query('truncate timeseries_value'));
    await Promise.all(databases.map((database) => database.close()));
  });
  afterAll(() => scratch.drop());

  const first = (): Database => {
    const [database] = databases;
    if (database === undefined) throw new Error('no database');
    return database;
  };
  const months = async (): Promise<readonly string[]> => {
    const { rows } = await first().use((client) =>
      client.query<{ name: string }>(
        `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
          where i.inhparent = 'timeseries_value'::regclass and c.relname <> 'timeseries_value_default' order by 1`,
      ),
    );
    return rows.map(({ name }) => name);
  };
  const tables = async (): Promise<number> => {
    const { rows } = await first().use((client) =>
      client.query<{ tables: number }>(
        "select count(*)::integer as tables from pg_class where relname ~ '^timeseries_value_[0-9]+$' and relkind = 'r'",
      ),
    );
    return rows[0]?.tables ?? 0;
  };
  const inDefault = async (): Promise<number> => {
    const { rows } = await first().use((client) =>
      client.query<{ count: number }>('select count(*)::integer as count from timeseries_value_default'),
    );
    return rows[0]?.count ?? 0;
  };
  /** The partitions of the log that a writer has, as the parts of a topic are divided. */
  const urnsOf = (writer: number): readonly string[] =>
    urns.filter((urn) => toRange(urn, PARTITIONS, 0).partition % WRITERS === writer);
  const write = (store: PostgresAspectStore, urn: string, times: readonly number[]): Promise<unknown> => {
    const { partition } = toRange(urn, PARTITIONS, 0);
    const from = logged.get(partition) ?? 0;
    logged.set(partition, from + 1);
    const timeseriesValues = times.map((timestampMs) => ({
      urn,
      aspectName,
      timestampMs,
      valueKey: 'k',
      value: `{"at":${String(timestampMs)}}`,
    }));
    return store.commit(timeseriesBatch([toRange(urn, PARTITIONS, from)], timeseriesValues));
  };
  const count = async (urn: string): Promise<number | undefined> =>
    stores[0]?.countTimeseries({ urn, within: {} });

  it('are made once by writers that need the same ones at the same moment, and none of them fails', async () => {
    for (let round = 0; round < 6; round++) {
      const times = [0, 1].map((month) => thisMonth - (2 * round + month) * MONTH_MS);
      await Promise.all(
        stores.map(async (store, writer) => {
          for (const urn of urnsOf(writer)) await write(store, urn, times);
        }),
      );
    }
    expect(await months()).toHaveLength(12);
    for (const urn of urns) expect(await count(urn)).toBe(12);
  });

  it('come while others write points of other months, and of none', async () => {
    const known = [1, 2, 3].map((month) => thisMonth - month * MONTH_MS);
    const wild = thisMonth + 40 * 12 * MONTH_MS;
    for (const [writer, store] of stores.entries()) await write(store, urnsOf(writer)[0] ?? '', known);
    await Promise.all(
      stores.map(async (store, writer) => {
        for (const [at, urn] of urnsOf(writer).entries()) {
          // Of two writers each commit needs another new month, the others stay with those that are there.
          const times = writer < 2 ? [thisMonth - (10 + 2 * at + writer) * MONTH_MS] : [...known, wild + at];
          await write(store, urn, times);
        }
      }),
    );
    for (const [writer] of stores.entries()) {
      const [aspectCreated = '', ...others] = urnsOf(writer);
      expect(await count(aspectCreated)).toBe(4);
      for (const urn of others) expect(await count(urn)).toBe(writer < 2 ? 1 : 4);
    }
  });

  it('do not come while somebody holds the default partition, nobody fails, and points move when they come', async () => {
    const [one, other] = stores;
    if (one === undefined || other === undefined) throw new Error('no stores');
    const [urn = ''] = urns;
    await first().transaction(async (client) => {
      await client.query('lock table timeseries_value_default in row exclusive mode');
      await write(other, urn, [thisMonth]);
    });
    expect([await months(), await inDefault()]).toEqual([[], 1]);
    // Another process tries it at once.
    await write(one, urn, [thisMonth + 1]);
    expect([(await months()).length, await inDefault(), await count(urn)]).toEqual([1, 0, 2]);
  });

  it('are not there by half when whoever makes one is gone in the middle', async () => {
    const [, second, third] = stores;
    const [urn = '', neighbour = ''] = urns;
    if (second === undefined || third === undefined) throw new Error('no stores');
    await write(second, urn, [thisMonth - 50 * 12 * MONTH_MS]);
    // The points of the month lie in the default partition, so that making it moves some.
    await first().transaction(async (client) => {
      await client.query('lock table timeseries_value_default in row exclusive mode');
      await write(second, urn, [thisMonth]);
    });
    // The month is made and filled, and then waits to be attached.
    let making: Promise<unknown> | undefined;
    await first().transaction(async (client) => {
      await client.query('lock table timeseries_value in share mode');
      making = write(third, neighbour, [thisMonth]);
      making.catch(() => undefined);
      // Who waits is the same throughout a transaction, so another connection looks.
      await until(() =>
        first().use(async (other) => {
          await other.query(KILL_ATTACHING);
          return (await other.query(WAITING_TO_WRITE)).rowCount === 1;
        }),
      );
    });
    await making;
    expect([await months(), await tables()]).toEqual([[], 0]);
    expect([await count(urn), await count(neighbour)]).toEqual([2, 1]);
    const [fresh] = stores;
    if (fresh === undefined) throw new Error('no store');
    await write(fresh, urn, [thisMonth + 2]);
    expect([(await months()).length, await inDefault(), await count(urn)]).toEqual([1, 1, 3]);
  });
});
