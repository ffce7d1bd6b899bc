import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock, Notifier } from '@stratalog/concurrency';
import { datasetUrn, timeseriesBatch, toRange, until } from '@stratalog/testkit';
import { PostgresAspectStore } from '../aspect-store/aspect-store';
import { Database } from '../database/database';
import { createScratchDatabase, type ScratchDatabase } from '../database/scratch-database';

const PARTITIONS = 8;
const WRITERS = 4;
const MONTH_MS = 2_629_800_000;

const WAITING =
  "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
const KILL_ATTACHING = `select pg_terminate_backend(pid) from (${WAITING} and query ~ 'attach partition') w`;
/** A writer that failed to create the month continues with the commit. */
const WAITING_TO_WRITE = `${WAITING} and query ~ 'insert into timeseries_value '`;

/** Writers as in separate processes: each has its own connections and its own knowledge of the existing months. */
describe('Monthly partitions of timeseries values', () => {
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
    const options = { clock: systemClock, partitions: PARTITIONS, changes: new Notifier() };
    stores = await Promise.all(databases.map((database) => PostgresAspectStore.open(database, options)));
    const { rows } = await first().use((client) =>
      client.query<{ partition: number; committed_offset: number }>(
        'select partition, committed_offset from log_partition',
      ),
    );
    logged = new Map(rows.map(({ partition, committed_offset: offset }) => [partition, offset]));
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
  /** The urns of the log partitions that a writer owns, as a consumer group would assign them. */
  const listUrns = (writer: number): readonly string[] =>
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

  it('are created once by concurrent writers, without failures', async () => {
    for (let round = 0; round < 6; round++) {
      const times = [0, 1].map((month) => thisMonth - (2 * round + month) * MONTH_MS);
      await Promise.all(
        stores.map(async (store, writer) => {
          for (const urn of listUrns(writer)) await write(store, urn, times);
        }),
      );
    }
    expect(await months()).toHaveLength(12);
    for (const urn of urns) expect(await count(urn)).toBe(12);
  });

  it('are created while others write values of other months and of the default partition', async () => {
    const known = [1, 2, 3].map((month) => thisMonth - month * MONTH_MS);
    const farFuture = thisMonth + 40 * 12 * MONTH_MS;
    for (const [writer, store] of stores.entries()) await write(store, listUrns(writer)[0] ?? '', known);
    await Promise.all(
      stores.map(async (store, writer) => {
        for (const [at, urn] of listUrns(writer).entries()) {
          // Two writers need another new month for each commit; the others use existing months.
          const times =
            writer < 2 ? [thisMonth - (10 + 2 * at + writer) * MONTH_MS] : [...known, farFuture + at];
          await write(store, urn, times);
        }
      }),
    );
    for (const [writer] of stores.entries()) {
      const [firstUrn = '', ...others] = listUrns(writer);
      expect(await count(firstUrn)).toBe(4);
      for (const urn of others) expect(await count(urn)).toBe(writer < 2 ? 1 : 4);
    }
  });

  it('are not created while the default partition is locked; no write fails, and values move later', async () => {
    const [one, other] = stores;
    if (one === undefined || other === undefined) throw new Error('no stores');
    const [urn = ''] = urns;
    await first().transaction(async (client) => {
      await client.query('lock table timeseries_value_default in row exclusive mode');
      await write(other, urn, [thisMonth]);
    });
    expect([await months(), await inDefault()]).toEqual([[], 1]);
    // Another process tries at once.
    await write(one, urn, [thisMonth + 1]);
    expect([(await months()).length, await inDefault(), await count(urn)]).toEqual([1, 0, 2]);
  });

  it('are not left half-made when their creator is killed', async () => {
    const [, second, third] = stores;
    const [urn = '', neighbour = ''] = urns;
    if (second === undefined || third === undefined) throw new Error('no stores');
    await write(second, urn, [thisMonth - 50 * 12 * MONTH_MS]);
    // The month's values lie in the default partition, so creating the month moves some.
    await first().transaction(async (client) => {
      await client.query('lock table timeseries_value_default in row exclusive mode');
      await write(second, urn, [thisMonth]);
    });
    // The month is created and filled, and then waits to be attached.
    let making: Promise<unknown> | undefined;
    await first().transaction(async (client) => {
      await client.query('lock table timeseries_value in share mode');
      making = write(third, neighbour, [thisMonth]);
      making.catch(() => undefined);
      // `pg_stat_activity` is fixed within a transaction, so another connection polls.
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
