import { beforeAll, describe, expect, it } from '@jest/globals';
import type { InstanceReport } from '@stratalog/ports';
import { PostgresInstanceRegistry } from './instance-registry';
import { useSuiteDatabase } from '../testing/suite-database';

const makeReport = (id: string, more: Partial<InstanceReport> = {}): InstanceReport => ({
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
  const suite = useSuiteDatabase({ poolSize: 1 });
  let registry: PostgresInstanceRegistry;

  beforeAll(() => {
    registry = new PostgresInstanceRegistry(suite.database);
  });

  const shift = (id: string, by: string): Promise<unknown> =>
    suite.database.use((client) =>
      client.query('update app_instance set seen = seen + $2::interval where id = $1', [id, by]),
    );
  const idsAfter = async (report: InstanceReport): Promise<readonly string[]> =>
    (await registry.report(report)).map(({ id }) => id);

  it('lists all instances with their last report until they leave', async () => {
    await registry.report(makeReport('a', { status: 'starting', lag: {} }));
    await registry.report(makeReport('b', { app: 'graph', roles: ['graph', 'docs'] }));
    const all = await registry.report(makeReport('a'));
    expect(all).toEqual([
      { ...makeReport('b', { app: 'graph', roles: ['graph', 'docs'] }), seenMsAgo: expect.any(Number) },
      { ...makeReport('a'), seenMsAgo: expect.any(Number) },
    ]);
    await registry.leave('b');
    expect(await idsAfter(makeReport('a'))).toEqual(['a']);
  });

  it('measures silence by the clock of the server, even when that was set back', async () => {
    await registry.report(makeReport('late'));
    await registry.report(makeReport('early'));
    await shift('late', '-20 s');
    await shift('early', '20 s');
    const silent = new Map(
      (await registry.report(makeReport('a'))).map(({ id, seenMsAgo }) => [id, seenMsAgo]),
    );
    expect(silent.get('a')).toBeLessThan(5_000);
    expect(silent.get('late')).toBeGreaterThanOrEqual(20_000);
    expect(silent.get('early')).toBeGreaterThan(5_000);
  });

  it('removes reports after an hour, and those of an earlier start at the same address', async () => {
    await shift('late', '-1 hour');
    await shift('early', '2 hours');
    expect(await idsAfter(makeReport('a'))).toEqual(['a']);
    const address = { address: makeReport('a').address };
    expect(await idsAfter(makeReport('again', address))).toEqual(['again']);
    expect(await idsAfter(makeReport('elsewhere', { ...address, host: 'two' }))).toEqual([
      'again',
      'elsewhere',
    ]);
  });
});
