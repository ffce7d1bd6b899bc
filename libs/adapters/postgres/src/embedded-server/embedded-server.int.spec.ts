import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { InvalidSettingError, UnavailableError } from '@stratalog/model';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  watch,
} from 'node:fs';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { openEmbeddedServer, type EmbeddedServer } from './open-embedded-server';
import { processCommand, processStart } from './process-identity';
import { readPostmasterFile, servesCluster } from './running-server';

const ROOT = join(import.meta.dirname, '../../../../..');
const BUNDLE = join(ROOT, 'dist/tools/embedded-server.js');

/** Most of these tests are about processes; they need not wait for the disk. */
const UNSYNCED = { fsync: 'off' };

/** A process that owns a server until it is told, or killed. */
const OWNER_SCRIPT = `
  import { openEmbeddedServer } from ${JSON.stringify(BUNDLE)};
  process.on('SIGINT', () => undefined);
  const server = await openEmbeddedServer({ dataDir: process.argv[1], settings: ${JSON.stringify(UNSYNCED)} });
  process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
  process.stdout.write(JSON.stringify({ url: server.url, pid: server.pid }) + '\\n');
  setInterval(() => undefined, 1000000);
`;

interface Owner {
  readonly child: ChildProcess & { readonly pid: number };
  readonly url: string;
  readonly pid: number;
}

const folders: string[] = [];
const servers: EmbeddedServer[] = [];
const children: ChildProcess[] = [];
const clients: Client[] = [];

/** A stopped server's folder; copying it is quicker than making another. */
const template = mkdtempSync(join(tmpdir(), 'stratalog-template-'));

beforeAll(async () => {
  const built = spawnSync(process.execPath, [
    join(ROOT, 'tools/bootstrap/build.mjs'),
    'tools/embedded-server',
  ]);
  expect(built.status).toBe(0);
  await (await openEmbeddedServer({ dataDir: template, settings: UNSYNCED })).stop();
});

afterAll(() => {
  rmSync(template, { recursive: true, force: true });
});

afterEach(async () => {
  for (const client of clients.splice(0)) await client.end().catch(() => undefined);
  for (const child of children.splice(0)) await kill(child);
  for (const server of servers.splice(0)) await server.stop();
  folders.forEach(killServerOf);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A server whose owner was killed would outlive the test. */
function killServerOf(dataDir: string): void {
  const clusterDir = join(dataDir, 'postgres');
  const left = readPostmasterFile(clusterDir);
  if (left !== undefined && servesCluster(left.pid, clusterDir)) process.kill(left.pid, 'SIGKILL');
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stratalog-server-'));
  folders.push(folder);
  return folder;
}

function usedFolder(): string {
  const folder = newFolder();
  expect(spawnSync('cp', ['-a', `${template}/.`, folder]).status).toBe(0);
  return folder;
}

async function open(dataDir: string, settings: Record<string, string> = UNSYNCED): Promise<EmbeddedServer> {
  const server = await openEmbeddedServer({ dataDir, settings });
  servers.push(server);
  return server;
}

function spawnOwner(dataDir: string): ChildProcess {
  const args = ['--input-type=module', '--eval', OWNER_SCRIPT, dataDir];
  const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  return child;
}

async function startOwner(dataDir: string): Promise<Owner> {
  const child = spawnOwner(dataDir);
  if (child.stdout === null || child.pid === undefined) throw new Error('the owner did not start');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url, pid } = JSON.parse(line) as { url: string; pid: number };
  return { child: child as Owner['child'], url, pid };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  clients.push(client);
  return client;
}

async function countRows(url: string): Promise<number> {
  const { rows } = await (await connect(url)).query<{ n: number }>('select count(*)::int as n from kept');
  return rows[0]?.n ?? -1;
}

async function keepRow(url: string): Promise<void> {
  await (await connect(url)).query('create table if not exists kept (id int); insert into kept values (1)');
}

describe('an embedded server', () => {
  test('is ready soon, keeps its data over a stop, and is stopped once for all', async () => {
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
    expect(times[0]).toBeLessThan(15_000);
    expect(times[1]).toBeLessThan(5_000);
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

  test('is not reached by a Ctrl-C in the terminal of its owner', async () => {
    const owner = await startOwner(usedFolder());
    process.kill(-owner.child.pid, 'SIGINT');
    await keepRow(owner.url);
    expect(await countRows(owner.url)).toBe(1);
  });

  test('stops when its owner is told to stop', async () => {
    const owner = await startOwner(usedFolder());
    owner.child.kill('SIGTERM');
    expect(await once(owner.child, 'exit')).toEqual([0, null]);
    expect(processStart(owner.pid)).toBeUndefined();
  });

  test('says so when it ends by itself, and gives its folder free', async () => {
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

  test('tells nobody about an end that was asked for', async () => {
    const server = await open(usedFolder());
    const reasons: string[] = [];
    server.onExit((reason) => reasons.push(reason));
    await server.stop();
    expect(reasons).toEqual([]);
  });
});

describe('a server that was left behind by a kill', () => {
  test('is taken over with its data, and without what its owner had begun', async () => {
    const dataDir = usedFolder();
    const owner = await startOwner(dataDir);
    await keepRow(owner.url);
    const begun = await connect(owner.url);
    await begun.query('begin; lock table kept; insert into kept values (2)');
    await kill(owner.child);
    expect(processStart(owner.pid)).toBeDefined();

    const server = await open(dataDir);

    expect(server.pid).toBe(owner.pid);
    expect(await countRows(server.url)).toBe(1);
    await expect(begun.query('commit')).rejects.toThrow();
    await server.stop();
    expect(processStart(owner.pid)).toBeUndefined();
  });

  test('is stopped first when it runs with other settings', async () => {
    const dataDir = usedFolder();
    const owner = await startOwner(dataDir);
    await keepRow(owner.url);
    await kill(owner.child);

    const server = await open(dataDir, { ...UNSYNCED, max_connections: '41' });

    expect(processStart(owner.pid)).toBeUndefined();
    expect(await countRows(server.url)).toBe(1);
  });

  test('is replaced when it is stopping already', async () => {
    const dataDir = usedFolder();
    const owner = await startOwner(dataDir);
    await keepRow(owner.url);
    await kill(owner.child);
    // Waits for the session of `keepRow`, and lets nobody else in.
    process.kill(owner.pid, 'SIGTERM');

    const server = await open(dataDir);

    expect(server.pid).not.toBe(owner.pid);
    expect(await countRows(server.url)).toBe(1);
  });

  test('is watched for its end like one that we started', async () => {
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

  test('is not mistaken for a process that got its pid later', async () => {
    const dataDir = usedFolder();
    const owner = await startOwner(dataDir);
    await keepRow(owner.url);
    await kill(owner.child);
    process.kill(owner.pid, 'SIGKILL');
    // PostgreSQL ignores the pids of other users by itself, so this one runs as the cluster's.
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
});

describe('a data folder', () => {
  test('has one owner: a second start says who and since when', async () => {
    const dataDir = usedFolder();
    const before = Date.now();
    const owner = await startOwner(dataDir);
    const refused = await openEmbeddedServer({ dataDir }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UnavailableError);
    const { message, details } = refused as UnavailableError;
    expect(message).toContain(`${dataDir} is in use by process ${owner.child.pid} since 20`);
    expect(details).toMatchObject({ dataDir, pid: owner.child.pid });
    expect(Date.parse(String(details.since))).toBeGreaterThan(before - 2_000);
    await keepRow(owner.url);
  });

  test('gets one owner when several start at once', async () => {
    const dataDir = usedFolder();
    const starts = await Promise.allSettled([1, 2, 3].map(() => open(dataDir)));
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('whose first start was killed is made anew', async () => {
    const dataDir = newFolder();
    const begun = new Promise<void>((resolve) => {
      const watcher = watch(dataDir, (_kind, name) => {
        if (name?.startsWith('postgres.init-') !== true) return;
        watcher.close();
        resolve();
      });
    });
    const child = spawnOwner(dataDir);
    await begun;
    await kill(child);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);

    const server = await open(dataDir);

    await keepRow(server.url);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres.init-'))).toEqual([]);
  });

  test('with a cluster that holds no data is made anew', async () => {
    const dataDir = newFolder();
    mkdirSync(join(dataDir, 'postgres/base/1'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '18\n');
    const server = await open(dataDir);
    await keepRow(server.url);
  });

  test.each([
    ['a database without its control file', ['base/16384/PG_VERSION', 'PG_VERSION'], '18', 'is damaged'],
    ['another major version', ['global/pg_control', 'PG_VERSION'], '17', 'was written by PostgreSQL 17'],
  ])('with %s is refused and left alone', async (_what, files, version, said) => {
    const dataDir = newFolder();
    for (const file of files) {
      mkdirSync(join(dataDir, 'postgres', file, '..'), { recursive: true });
      writeFileSync(join(dataDir, 'postgres', file), version);
    }
    const refused = await openEmbeddedServer({ dataDir }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InvalidSettingError);
    expect((refused as Error).message).toContain(said);
    for (const file of files) expect(existsSync(join(dataDir, 'postgres', file))).toBe(true);
  });

  test('restored by another user is given back to the server', async () => {
    const dataDir = usedFolder();
    if (process.getuid?.() === 0) spawnSync('chown', ['-R', '0:0', dataDir]);
    const server = await open(dataDir);
    await keepRow(server.url);
  });

  test('that lacks its password is refused by name', async () => {
    const dataDir = usedFolder();
    rmSync(join(dataDir, 'password'));
    await expect(openEmbeddedServer({ dataDir })).rejects.toThrow(`${dataDir}/password is missing`);
  });

  test('whose password is another is refused by name', async () => {
    const dataDir = usedFolder();
    writeFileSync(join(dataDir, 'password'), 'another');
    await expect(openEmbeddedServer({ dataDir })).rejects.toThrow(
      `"password" does not open ${dataDir}/postgres`,
    );
    expect(readdirSync(dataDir).sort()).toEqual(['password', 'postgres', 'postgres.log']);
  });

  test('that is a file is refused by name', async () => {
    const path = join(newFolder(), 'file');
    writeFileSync(path, '');
    await expect(openEmbeddedServer({ dataDir: join(path, 'data') })).rejects.toThrow(
      `${path}/data cannot be used`,
    );
  });
});
