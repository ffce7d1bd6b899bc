import { describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@stratalog/testkit';
import { connect, countRows, keepRow, kill, open, startOwner, usedFolder } from './embedded-server.fixture';
import type { EmbeddedServer } from './open-embedded-server';

/** Returns what makes it well again. */
async function makeGiveUp(server: EmbeddedServer, dataDir: string): Promise<() => void> {
  const log = join(dataDir, 'postgres/pg_wal');
  const files = readdirSync(log).filter((name) => /^[0-9A-F]{24}$/.test(name));
  const client = await connect(server.url);
  await client.query('alter system set restart_after_crash = off');
  await client.query('select pg_reload_conf()');
  await until(async () => {
    const { rows } = await client.query<{ value: string }>(
      "select current_setting('restart_after_crash') as value",
    );
    return rows[0]?.value === 'off';
  });
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  for (const name of files) renameSync(join(log, name), join(dataDir, name));
  // With this setting a server gives up when a session dies like this; the next one finds no log.
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
  await until(() => !existsSync(join(dataDir, 'postgres/postmaster.pid')));
  return () => {
    for (const name of files) renameSync(join(dataDir, name), join(log, name));
  };
}

function endsOf(server: EmbeddedServer): string[] {
  const reasons: string[] = [];
  server.onExit((reason) => reasons.push(reason));
  return reasons;
}

/** A server that we started, and one that was taken over. */
const KINDS: readonly (readonly [string, (dataDir: string) => Promise<EmbeddedServer>])[] = [
  ['of ours', open],
  [
    'that was taken over',
    async (dataDir) => {
      const owner = await startOwner(dataDir);
      await kill(owner.child);
      const server = await open(dataDir);
      expect(server.pid).toBe(owner.pid);
      return server;
    },
  ],
];

describe.each(KINDS)('a server %s', (_kind, start) => {
  test('that gives up is started again at the same address with all its data', async () => {
    const dataDir = usedFolder();
    const server = await start(dataDir);
    const reasons = endsOf(server);
    const { pid, url } = server;
    await keepRow(url);

    const mend = await makeGiveUp(server, dataDir);
    mend();

    await until(() => server.pid !== pid);
    expect(server.url).toBe(url);
    expect(await countRows(url)).toBe(1);
    expect(reasons).toEqual([]);
  });

  test('can be stopped while it cannot be started', async () => {
    const dataDir = usedFolder();
    const server = await start(dataDir);
    const reasons = endsOf(server);
    const mend = await makeGiveUp(server, dataDir);

    await server.stop();

    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
    expect(reasons).toEqual([]);
    mend();
    expect((await open(dataDir)).pid).not.toBe(server.pid);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
    'that somebody ends with %s is not started again, and its owner is told',
    async (signal) => {
      const server = await start(usedFolder());
      const { pid } = server;
      const reasons = endsOf(server);

      process.kill(pid, signal);

      await until(() => reasons.length > 0);
      expect(reasons).toEqual([expect.stringContaining('ended by itself')]);
      expect(server.pid).toBe(pid);
    },
  );
});
