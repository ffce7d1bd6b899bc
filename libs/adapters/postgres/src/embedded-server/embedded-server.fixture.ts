import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { openEmbeddedServer, type EmbeddedServer, type EmbeddedServerOptions } from './open-embedded-server';
import { readPostmasterFile, servesCluster } from './running-server';

/**
 * Creates servers, folders and owner processes for the tests of this folder, and ends them after each test. The next
 * test run removes folders of a killed one by their names.
 */

const ROOT = join(import.meta.dirname, '../../../../..');
const BUNDLE = join(ROOT, 'dist/tools/embedded-server.js');

/** Most of these tests concern processes and do not need to wait for the disk. */
export const UNSYNCED = { fsync: 'off' };

/** A process that owns a server until it gets SIGTERM or is killed. */
const OWNER_SCRIPT = `
  import { openEmbeddedServer } from ${JSON.stringify(BUNDLE)};
  process.on('SIGINT', () => undefined);
  const server = await openEmbeddedServer({ dataDir: process.argv[1], settings: ${JSON.stringify(UNSYNCED)} });
  process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
  process.stdout.write(JSON.stringify({ url: server.url, pid: server.pid }) + '\\n');
  setInterval(() => undefined, 1000000);
`;

export interface Owner {
  readonly child: ChildProcess & { readonly pid: number };
  readonly url: string;
  readonly pid: number;
}

const folders: string[] = [];
const servers: EmbeddedServer[] = [];
/** Processes that are killed after the test, whatever its result. */
export const children: ChildProcess[] = [];
const clients: Client[] = [];

/** The folder of a stopped server; copying it is faster than creating another. */
const template = mkdtempSync(join(tmpdir(), `stratalog-test-${process.pid}-template-`));

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
  folders.forEach(killOwnedServer);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A server whose owner was killed would outlive the test. */
function killOwnedServer(dataDir: string): void {
  const clusterDir = join(dataDir, 'postgres');
  const left = readPostmasterFile(clusterDir);
  if (left !== undefined && servesCluster(left.pid, clusterDir)) process.kill(left.pid, 'SIGKILL');
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `stratalog-test-${process.pid}-server-`));
  folders.push(folder);
  return folder;
}

export function usedFolder(): string {
  const folder = newFolder();
  expect(spawnSync('cp', ['-a', `${template}/.`, folder]).status).toBe(0);
  return folder;
}

export async function open(
  dataDir: string,
  settings: Record<string, string> = UNSYNCED,
  options: Partial<EmbeddedServerOptions> = {},
): Promise<EmbeddedServer> {
  const server = await openEmbeddedServer({ dataDir, settings, ...options });
  servers.push(server);
  return server;
}

export function spawnOwner(dataDir: string): ChildProcess {
  const args = ['--input-type=module', '--eval', OWNER_SCRIPT, dataDir];
  const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  return child;
}

export async function startOwner(dataDir: string): Promise<Owner> {
  const child = spawnOwner(dataDir);
  if (child.stdout === null || child.pid === undefined) throw new Error('the owner did not start');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url, pid } = JSON.parse(line) as { url: string; pid: number };
  return { child: child as Owner['child'], url, pid };
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

export async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  clients.push(client);
  return client;
}

export async function countRows(url: string): Promise<number> {
  const { rows } = await (await connect(url)).query<{ n: number }>('select count(*)::int as n from kept');
  return rows[0]?.n ?? -1;
}

export async function keepRow(url: string): Promise<void> {
  await (await connect(url)).query('create table if not exists kept (id int); insert into kept values (1)');
}
