import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { CancelledError, TimeLimitError, UnavailableError } from '@stratalog/domain';
import { actFor } from '@stratalog/concurrency';
import { until } from '@stratalog/testkit';
import { Database } from './database';
import { useSuiteDatabase } from '../testing/suite-database';

const LOCK = 'select * from store_partition where partition = 0 for update';

describe('The database', () => {
  const suite = useSuiteDatabase();

  beforeAll(async () => {
    await suite.database.use((client) => client.query('insert into store_partition (partition) values (0)'));
  });

  it('ends the transaction of a sleeping process, whose next statement then fails', async () => {
    let wake = (): void => undefined;
    const asleep = new Promise<void>((resolve) => (wake = resolve));
    let isLocked = (): void => undefined;
    const locked = new Promise<void>((resolve) => (isLocked = resolve));
    const sleeper = suite.database.transaction(async (client) => {
      await client.query(LOCK);
      isLocked();
      await asleep;
      await client.query('update store_partition set seq = 1');
    });
    const outcome = sleeper.catch((error: unknown) => error);
    await locked;
    await suite.database.transaction((client) => client.query(LOCK));
    wake();
    expect(await outcome).toBeInstanceOf(UnavailableError);
    const { rows } = await suite.database.use((client) => client.query('select seq from store_partition'));
    expect(rows).toEqual([{ seq: 0 }]);
  });

  it('tells a statement that exceeded its time limit from an outage', async () => {
    const slow = suite.database.use(async (client) => {
      await client.query('begin');
      await client.query(`set local statement_timeout = 20`);
      await client.query('select pg_sleep(60)');
    });
    await expect(slow).rejects.toBeInstanceOf(TimeLimitError);
  });

  it('rolls back the transaction of failed work before it reuses the connection', async () => {
    const narrow = await Database.open({ url: suite.scratch.url, poolSize: 1 });
    try {
      const failed = narrow.use(async (client) => {
        await client.query('begin');
        await client.query('select 1 / 0');
      });
      await expect(failed).rejects.toThrow('rejected a statement');
      const { rows } = await narrow.use((client) => client.query('select 1 as one'));
      expect(rows).toEqual([{ one: 1 }]);
    } finally {
      await narrow.close();
    }
  });

  it('is unavailable to work that comes after its end', async () => {
    const ended = await Database.open({ url: suite.scratch.url, poolSize: 1 });
    await ended.close();
    await expect(ended.use((client) => client.query('select 1'))).rejects.toBeInstanceOf(UnavailableError);
  });

  it('is closed when the server has closed its connections, not when it sent Terminate', async () => {
    const { hostname, port } = new URL(suite.scratch.url);
    let isClosed = false;
    const closedAtTerminate: boolean[] = [];
    let open = 0;
    const relay = createServer((near) => {
      open += 1;
      const far = connect(Number(port), hostname).on('data', (data) => near.write(data));
      near.on('data', (data) => {
        // The Terminate message, which ends a session.
        if (data[0] === 0x58) closedAtTerminate.push(isClosed);
        far.write(data);
      });
      near.on('close', () => {
        open -= 1;
        far.destroy();
      });
      far.on('close', () => near.end());
    }).listen(0, '127.0.0.1');
    await once(relay, 'listening');
    const url = new URL(suite.scratch.url);
    url.host = `127.0.0.1:${String((relay.address() as AddressInfo).port)}`;
    const other = await Database.open({ url: url.href, poolSize: 8 });
    const work = Array.from({ length: 4 }, () => other.use((client) => client.query('select pg_sleep(0.2)')));
    await Promise.all(work);
    closedAtTerminate.length = 0;
    expect(open).toBe(4);
    await other.close().then(() => (isClosed = true));
    await until(() => open === 0);
    expect(closedAtTerminate).toEqual([false, false, false, false]);
    relay.close();
  });

  const { signal: stays } = new AbortController();
  const caller = { disconnected: stays, timeLimitMs: 60_000, writes: false };
  const LONG = 'select pg_sleep(600)';
  const countRunning = async (): Promise<number> => {
    const { rows } = await suite.database.use((client) =>
      client.query<{ n: number }>(
        `select count(*)::integer as n from pg_stat_activity where state = 'active' and query = '${LONG}'`,
      ),
    );
    return rows[0]?.n ?? 0;
  };

  it('cancels the statement of a caller that disconnects, and reuses the connection', async () => {
    const client = new AbortController();
    const pids: unknown[] = [];
    const ask = (text: string) =>
      suite.database.search(async (session) => {
        pids.push((await session.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid);
        return session.query(text);
      });
    const running = actFor({ ...caller, disconnected: client.signal }, () => ask(LONG));
    const outcome = running.catch((error: unknown) => error);
    await until(async () => (await countRunning()) === 1);
    client.abort(new CancelledError('gone'));
    expect(await outcome).toBeInstanceOf(CancelledError);
    expect(await countRunning()).toBe(0);
    await actFor(caller, () => ask('select 1'));
    expect(pids[1]).toBe(pids[0]);
  });

  it('cancels a statement that exceeds the time limit', async () => {
    const running = actFor({ ...caller, timeLimitMs: 100 }, () =>
      suite.database.read((client) => client.query(LONG)),
    );
    await expect(running).rejects.toThrow(TimeLimitError);
    expect(await countRunning()).toBe(0);
  });

  it('answers callers while the server stalls, and reuses the connection when it continues', async () => {
    const { hostname, port } = new URL(suite.scratch.url);
    const sockets: Socket[] = [];
    const relay = createServer((near) => {
      const far = connect(Number(port), hostname);
      near.pipe(far).pipe(near);
      sockets.push(near, far);
    }).listen(0, '127.0.0.1');
    await once(relay, 'listening');
    const url = new URL(suite.scratch.url);
    url.host = `127.0.0.1:${String((relay.address() as AddressInfo).port)}`;
    const other = await Database.open({ url: url.href, poolSize: 4 });
    const ask = (timeLimitMs: number) =>
      actFor({ ...caller, timeLimitMs }, () => other.search((client) => client.query('select 1')));
    await ask(60_000);
    for (const socket of sockets) socket.pause();
    try {
      await expect(ask(100)).rejects.toThrow(TimeLimitError);
    } finally {
      for (const socket of sockets) socket.resume();
    }
    expect((await ask(60_000)).rowCount).toBe(1);
    await other.close();
    relay.close();
  });

  it('keeps connections for reads, for work and for searches of writes that no other search takes', async () => {
    const client = new AbortController();
    const leaving = { ...caller, disconnected: client.signal };
    const searches = Array.from({ length: 8 }, () =>
      actFor(leaving, () => suite.database.search((session) => session.query(LONG))).catch(
        (error: unknown) => error,
      ),
    );
    await until(async () => (await countRunning()) === 1);
    const one = (session: { query(text: string): Promise<{ rowCount: number | null }> }) =>
      session.query('select 1');
    for (const { rowCount } of [
      await actFor(caller, () => suite.database.read(one)),
      await actFor({ ...caller, writes: true }, () => suite.database.search(one)),
      await suite.database.use(one),
      await suite.database.search(one),
    ]) {
      expect(rowCount).toBe(1);
    }
    client.abort(new CancelledError('gone'));
    for (const outcome of await Promise.all(searches)) expect(outcome).toBeInstanceOf(CancelledError);
  });
});
