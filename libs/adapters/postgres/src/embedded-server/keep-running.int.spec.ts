import { describe, expect, test } from '@jest/globals';
import { existsSync, readFileSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { until } from '@stratalog/testkit';
import {
  UNSYNCED,
  connect,
  countRows,
  keepRow,
  kill,
  open,
  startOwner,
  usedFolder,
} from './embedded-server.fixture';
import type { EmbeddedServer } from './open-embedded-server';
import { listChildren } from './process-identity';

/**
 * Moves the server's log away and kills one of its sessions, so that it has to recover. Returns a function that
 * restores the log.
 */
async function crashWithoutLog(client: Client, dataDir: string): Promise<() => void> {
  const log = join(dataDir, 'postgres/pg_wal');
  const files = readdirSync(log).filter((name) => /^[0-9A-F]{24}$/.test(name));
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  for (const name of files) renameSync(join(log, name), join(dataDir, name));
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
  return () => {
    for (const name of files) renameSync(join(dataDir, name), join(log, name));
  };
}

/** Makes the server give up. Returns a function that repairs it. */
async function makeGiveUp(server: EmbeddedServer, dataDir: string): Promise<() => void> {
  const client = await connect(server.url);
  await client.query('alter system set restart_after_crash = off');
  await client.query('select pg_reload_conf()');
  await until(async () => {
    const { rows } = await client.query<{ value: string }>(
      "select current_setting('restart_after_crash') as value",
    );
    return rows[0]?.value === 'off';
  });
  // With this setting a server gives up when a session crashes; the next one finds no log.
  const repair = await crashWithoutLog(client, dataDir);
  await until(() => !existsSync(join(dataDir, 'postgres/postmaster.pid')));
  return repair;
}

/** Stops all processes of the server without ending them. */
function hang({ pid }: EmbeddedServer): void {
  for (const each of [pid, ...listChildren(pid)]) process.kill(each, 'SIGSTOP');
}

const HANG_LIMIT_MS = limitMs(2_000);

/** Opens the server with hang detection, as the catalog does. */
function watched(dataDir: string, log?: (line: string) => void): Promise<EmbeddedServer> {
  return open(dataDir, UNSYNCED, {
    hangLimitMs: HANG_LIMIT_MS,
    ...(log === undefined ? {} : { log }),
  });
}

function collectEnds(server: EmbeddedServer): string[] {
  const reasons: string[] = [];
  server.onExit((reason) => reasons.push(reason));
  return reasons;
}

/** A server that this process started, and one that it took over. */
const KINDS: readonly (readonly [string, (dataDir: string) => Promise<EmbeddedServer>])[] = [
  ['of ours', watched],
  [
    'that was taken over',
    async (dataDir) => {
      const owner = await startOwner(dataDir);
      await kill(owner.child);
      const server = await watched(dataDir);
      expect(server.pid).toBe(owner.pid);
      return server;
    },
  ],
];

describe.each(KINDS)('a server %s', (_kind, start) => {
  test('a server that gives up restarts at the same address with all its data', async () => {
    const dataDir = usedFolder();
    const server = await start(dataDir);
    const reasons = collectEnds(server);
    const { pid, url } = server;
    await keepRow(url);

    const repair = await makeGiveUp(server, dataDir);
    repair();

    await until(() => server.pid !== pid);
    expect(server.url).toBe(url);
    expect(await countRows(url)).toBe(1);
    expect(reasons).toEqual([]);
  });

  test('a server that hangs is killed and restarts at the same address with all its data', async () => {
    const server = await start(usedFolder());
    const reasons = collectEnds(server);
    const { pid, url } = server;
    await keepRow(url);

    hang(server);

    await until(() => server.pid !== pid);
    expect(server.url).toBe(url);
    expect(await countRows(url)).toBe(1);
    expect(reasons).toEqual([]);
  });

  test('a server that reports an endless recovery is killed and restarts', async () => {
    const dataDir = usedFolder();
    const server = await start(dataDir);
    const reasons = collectEnds(server);
    const { pid, url } = server;
    await keepRow(url);

    const repair = await crashWithoutLog(await connect(url), dataDir);
    await until(() => readFileSync(join(dataDir, 'postgres.log'), 'utf8').includes('PANIC'));
    repair();

    await until(() => server.pid !== pid);
    expect(await countRows(url)).toBe(1);
    expect(reasons).toEqual([]);
  });

  test('a server can be stopped while it cannot start', async () => {
    const dataDir = usedFolder();
    const server = await start(dataDir);
    const reasons = collectEnds(server);
    const repair = await makeGiveUp(server, dataDir);

    await server.stop();

    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
    expect(reasons).toEqual([]);
    repair();
    expect((await open(dataDir)).pid).not.toBe(server.pid);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
    'that another process ends with %s is not restarted, and its owner gets the reason',
    async (signal) => {
      const server = await start(usedFolder());
      const { pid } = server;
      const reasons = collectEnds(server);

      process.kill(pid, signal);

      await until(() => reasons.length > 0);
      expect(reasons).toEqual([expect.stringContaining('ended by itself')]);
      expect(server.pid).toBe(pid);
    },
  );
});

test('a hanging server of a killed owner does not block the next', async () => {
  const dataDir = usedFolder();
  const owner = await startOwner(dataDir);
  await keepRow(owner.url);
  for (const each of [owner.pid, ...listChildren(owner.pid)]) process.kill(each, 'SIGSTOP');
  await kill(owner.child);

  const said: string[] = [];
  const server = await open(dataDir, UNSYNCED, { log: (line) => said.push(line) });

  expect(server.pid).not.toBe(owner.pid);
  expect(await countRows(server.url)).toBe(1);
  // It is killed; an orderly stop would take half a minute.
  expect(said.filter((line) => line.includes('is still there'))).toEqual([]);
});

test('a server that rejects all connections does not count as hanging', async () => {
  const said: string[] = [];
  const server = await watched(usedFolder(), (line) => said.push(line));
  const reasons = collectEnds(server);
  const session = await connect(server.url);

  // A server that waits for its last session rejects all others for as long as that takes.
  process.kill(server.pid, 'SIGTERM');
  await session.query('select pg_sleep($1)', [(3 * HANG_LIMIT_MS) / 1000]);
  await session.end();

  await until(() => reasons.length > 0);
  expect(said.filter((line) => line.includes('hangs'))).toEqual([]);
});
