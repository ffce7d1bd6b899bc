import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AuditLog, AuditedCall } from '@stratalog/ports';
import { PostgresAuditLog } from './audit-log';
import { useSuiteDatabase } from '../testing/suite-database';

const CALL: AuditedCall = {
  actor: 'urn:li:corpuser:admin',
  call: 'POST /operations rebuildIndices',
  parameters: { index: 'search', list: ['\u0000', 'ü'] },
  outcome: 'done',
  status: 200,
  durationMs: 12,
  address: '203.0.113.7',
};

describe('PostgresAuditLog', () => {
  const suite = useSuiteDatabase();
  let audit: AuditLog;

  beforeEach(async () => {
    await suite.database.use((client) => client.query('truncate audit_record'));
    audit = new PostgresAuditLog(suite.database);
  });

  it('keeps what it is told, with its time, and the token where one is named', async () => {
    await audit.append(CALL);
    await audit.append({ ...CALL, token: 'token-7', outcome: 'rejected', status: 400 });
    const [second, first] = await audit.list({ limit: 10 });
    expect(first).toEqual({ ...CALL, id: expect.any(Number), timeMs: expect.any(Number) });
    expect(second).toMatchObject({ token: 'token-7', outcome: 'rejected', status: 400 });
    expect(second?.timeMs).toBeGreaterThanOrEqual(first?.timeMs ?? Infinity);
  });

  it('lists the newest first, page by page, by actor and by call', async () => {
    const others = { actor: 'urn:li:corpuser:other', call: 'POST /runs rollback' };
    await audit.append(CALL);
    await audit.append({ ...CALL, actor: others.actor });
    await audit.append({ ...CALL, call: others.call });
    const all = await audit.list({ limit: 10 });
    const [newest, middle, oldest] = all.map(({ id }) => id);
    expect(await audit.list({ limit: 2, before: newest })).toEqual(all.slice(1));
    expect((await audit.list({ limit: 10, actor: others.actor })).map(({ id }) => id)).toEqual([middle]);
    expect((await audit.list({ limit: 10, call: others.call })).map(({ id }) => id)).toEqual([newest]);
    expect(oldest).toBeLessThan(middle ?? 0);
  });

  it('lists by address, outcome, status and time', async () => {
    const other = { address: '2001:db8::1', outcome: 'rejected', status: 401 } as const;
    await audit.append(CALL);
    await audit.append({ ...CALL, ...other, omitted: 41 });
    const [second, first] = await audit.list({ limit: 10 });
    expect(second).toMatchObject({ ...other, omitted: 41 });
    const { address, outcome, status } = other;
    for (const query of [{ address }, { outcome }, { status }, { address, outcome, status }]) {
      expect(await audit.list({ limit: 10, ...query })).toEqual([second]);
    }
    const { timeMs } = first ?? { timeMs: 0 };
    expect(await audit.list({ limit: 10, toMs: timeMs })).toEqual([]);
    expect(await audit.list({ limit: 10, fromMs: timeMs - 60_000, toMs: timeMs + 60_000 })).toHaveLength(2);
    expect(await audit.list({ limit: 10, fromMs: timeMs + 60_000 })).toEqual([]);
  });

  it('deletes records after their time', async () => {
    await audit.append(CALL);
    expect(await audit.purge(3_600_000)).toBe(0);
    expect(await audit.purge(-3_600_000)).toBe(1);
    expect(await audit.list({ limit: 1 })).toEqual([]);
  });
});
