import { describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  UNSYNCED,
  children,
  connect,
  countRows,
  keepRow,
  kill,
  newFolder,
  open,
  startOwner,
  usedFolder,
} from './embedded-server.fixture';
import { processCommand, processStart } from './process-identity';

describe('an embedded server', () => {
  test('starts quickly, keeps its data over a stop, and stops once for concurrent calls', async () => {
    const dataDir = join(newFolder(), 'data');
    const times: number[] = [];
    for (const round of [1, 2]) {
      const before = performance.now();
      const server = await open(dataDir, {});
      times.push(Math.round(performance.now() - before));
      await keepRow(server.url);
      expect(await countRows(server.url)).toBe(round);
      await Promise.all([server.stop(), server.stop()]);
      expect(processStart(server.pid)).toBeUndefined();
    }
    process.stderr.write(`embedded server ready in ${String(times[0])} ms, then in ${String(times[1])} ms\n`);
    expect(times[0]).toBeLessThan(limitMs(15_000));
    expect(times[1]).toBeLessThan(limitMs(5_000));
    expect(statSync(join(dataDir, 'password')).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir).sort()).toEqual(['password', 'postgres', 'postgres.log']);
  });

  test('has durable settings, byte order, Unicode letters and trigrams', async () => {
    const server = await open(usedFolder(), {});
    const client = await connect(server.url);
    await client.query('create extension pg_trgm');
    const { rows } = await client.query(
      `select current_setting('fsync') || current_setting('full_page_writes') || current_setting('synchronous_commit') as durable,
              array(select x from unnest(array['b', 'é', 'a', 'B']) x order by x) as ordered,
              lower('ÉÀ') as lower, similarity('stratalog', 'strata') > 0.4 as similar`,
    );
    expect(rows).toEqual([{ durable: 'ononon', ordered: ['B', 'a', 'b', 'é'], lower: 'éà', similar: true }]);
  });

  test('ignores a Ctrl-C in the terminal of its owner', async () => {
    const owner = await startOwner(usedFolder());
    process.kill(-owner.child.pid, 'SIGINT');
    await keepRow(owner.url);
    expect(await countRows(owner.url)).toBe(1);
  });

  test('stops when its owner gets SIGTERM', async () => {
    const owner = await startOwner(usedFolder());
    owner.child.kill('SIGTERM');
    expect(await once(owner.child, 'exit')).toEqual([0, null]);
    expect(processStart(owner.pid)).toBeUndefined();
  });

  test('reports when it ends by itself, and releases its folder', async () => {
    const dataDir = usedFolder();
    const server = await open(dataDir);
    const reason = new Promise<string>((resolve) => {
      server.onExit(resolve);
    });
    process.kill(server.pid, 'SIGKILL');
    expect(await reason).toContain('ended by itself: signal SIGKILL');
    await server.stop();
    const next = await open(dataDir);
    expect(next.pid).not.toBe(server.pid);
  });

  test('reports nothing when it is stopped on request', async () => {
    const server = await open(usedFolder());
    const reasons: string[] = [];
    server.onExit((reason) => reasons.push(reason));
    await server.stop();
    expect(reasons).toEqual([]);
  });
});

describe('a server that was left behind by a kill', () => {
  test('is taken over with its data, without unfinished transactions of its owner', async () => {
    const dataDir = usedFolder();
    const owner = await startOwner(dataDir);
    await keepRow(owner.url);
    const unfinished = await connect(owner.url);
    await unfinished.query('begin; lock table kept; insert into kept values (2)');
    await kill(owner.child);
    expect(processStart(owner.pid)).toBeDefined();

    const server = await open(dataDir);

    expect(server.pid).toBe(owner.pid);
    expect(await countRows(server.url)).toBe(1);
    await expect(unfinished.query('commit')).rejects.toThrow();
    await server.stop();
    expect(processStart(owner.pid)).toBeUndefined();
  });

  test('is stopped when it runs with other settings', async () => {
    const dataDir = usedFolder();
    const owner = await startOwner(dataDir);
    await keepRow(owner.url);
    await kill(owner.child);

    const server = await open(dataDir, { ...UNSYNCED, max_connections: '41' });

    expect(processStart(owner.pid)).toBeUndefined();
    expect(await countRows(server.url)).toBe(1);
  });

  test('is replaced when it is already stopping', async () => {
    const dataDir = usedFolder();
    const owner = await startOwner(dataDir);
    await keepRow(owner.url);
    await kill(owner.child);
    // The server waits for the session of `keepRow` and accepts no other.
    process.kill(owner.pid, 'SIGTERM');

    const server = await open(dataDir);

    expect(server.pid).not.toBe(owner.pid);
    expect(await countRows(server.url)).toBe(1);
  });

  test('reports its end like a server that this process started', async () => {
    const dataDir = usedFolder();
    const owner = await startOwner(dataDir);
    await kill(owner.child);
    const server = await open(dataDir);
    const reason = new Promise<string>((resolve) => {
      server.onExit(resolve);
    });
    process.kill(server.pid, 'SIGKILL');
    expect(await reason).toContain('ended by itself');
  });

  test('is not confused with a process that got its pid later', async () => {
    const dataDir = usedFolder();
    const owner = await startOwner(dataDir);
    await keepRow(owner.url);
    await kill(owner.child);
    process.kill(owner.pid, 'SIGKILL');
    // PostgreSQL ignores pids of other users, so this process runs as the user of the cluster.
    const { uid } = statSync(join(dataDir, 'postgres'));
    const foreign = spawn('sleep', ['600'], {
      stdio: 'ignore',
      ...(process.getuid?.() === 0 ? { uid } : {}),
    });
    children.push(foreign);
    const pidFile = join(dataDir, 'postgres/postmaster.pid');
    const lines = readFileSync(pidFile, 'utf8').split('\n');
    writeFileSync(pidFile, [String(foreign.pid), ...lines.slice(1)].join('\n'));

    const server = await open(dataDir);

    expect(await countRows(server.url)).toBe(1);
    expect(processCommand(foreign.pid ?? 0)?.args.join(' ')).toBe('sleep 600');
  });

  test('is replaced when it was killed and its parent has not reaped it', async () => {
    const dataDir = usedFolder();
    const owner = await startOwner(dataDir);
    await keepRow(owner.url);
    await kill(owner.child);
    process.kill(owner.pid, 'SIGKILL');
    // Normally init reaps the process; a shell that has replaced itself by another program never does.
    const { uid } = statSync(join(dataDir, 'postgres'));
    const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 600'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      ...(process.getuid?.() === 0 ? { uid } : {}),
    });
    children.push(parent);
    const [ended] = (await once(createInterface(parent.stdout), 'line')) as [string];
    const pidFile = join(dataDir, 'postgres/postmaster.pid');
    const lines = readFileSync(pidFile, 'utf8').split('\n');
    writeFileSync(pidFile, [ended, ...lines.slice(1)].join('\n'));

    const server = await open(dataDir);

    expect(await countRows(server.url)).toBe(1);
  });
});
