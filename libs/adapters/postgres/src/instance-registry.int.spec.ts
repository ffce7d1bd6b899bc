import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { InstanceReport } from '@stratalog/ports';
import { Database } from './database';
import { PostgresInstanceRegistry } from './instance-registry';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database';

const reportOf = (id: string, more: Partial<InstanceReport> = {}): InstanceReport => ({
  id,
  app: 'writer',
  roles: ['writer'],
  address: `http://127.0.0.1/${id}`,
  host: 'one',
  pid: 1,
  version: '0.1.0',
  status: 'ready',
  lag: { writer: 3 },
  ...more,
});

describe('PostgresInstanceRegistry', () => {
  let scratch: ScratchDatabase;
  let database: Database;
  let registry: PostgresInstanceRegistry;

  beforeAll(async () => {
    scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    database = await Database.open({ url: scratch.url, poolSize: 1 });
    registry = new PostgresInstanceRegistry(database);
  });
  afterAll(async () => {
    await database.close();
    await scratch.drop();
  });

  const shift = (id: string, by: string): Promise<unknown> =>
    database.use((client) =>
      client.query('update app_instance set seen = seen + $2::interval where id = $1', [id, by]),
    );
  const idsAfter = async (report: InstanceReport): Promise<readonly string[]> =>
    (await registry.report(report)).map(({ id }) => id);

  it('answers all that reported, with the last report of each, until they leave', async () => {
    await registry.report(reportOf('a', { status: 'starting', lag: {} }));
    await registry.report(reportOf('b', { app: 'graph', roles: ['graph', 'docs'] }));
    const all = await registry.report(reportOf('a'));
    expect(all).toEqual([
      { ...reportOf('b', { app: 'graph', roles: ['graph', 'docs'] }), seenMsAgo: expect.any(Number) },
      { ...reportOf('a'), seenMsAgo: expect.any(Number) },
    ]);
    await registry.leave('b');
    expect(await idsAfter(reportOf('a'))).toEqual(['a']);
  });

  it('says how long an instance has been silent, by the clock of the server, wherever that was set since', async () => {
    await registry.report(reportOf('late'));
    await registry.report(reportOf('early'));
    await shift('late', '-20 s');
    await shift('early', '20 s');
    const silent = new Map(
      (await registry.report(reportOf('a'))).map(({ id, seenMsAgo }) => [id, seenMsAgo]),
    );
    expect(silent.get('a')).toBeLessThan(5_000);
    expect(silent.get('late')).toBeGreaterThanOrEqual(20_000);
    expect(silent.get('early')).toBeGreaterThan(5_000);
  });

  it('forgets after an hour, and what another start at the same address replaces', async () => {
    await shift('late', '-1 hour');
    await shift('early', '2 hours');
    expect(await idsAfter(reportOf('a'))).toEqual(['a']);
    const address = { address: reportOf('a').address };
    expect(await idsAfter(reportOf('again', address))).toEqual(['again']);
    expect(await idsAfter(reportOf('elsewhere', { ...address, host: 'two' }))).toEqual([
      'again',
      'elsewhere',
    ]);
  });
});
