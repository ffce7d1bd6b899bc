import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '@stratalog/runtime';
import { until } from '@stratalog/testkit';
import { buildBundles, type AppProgram } from '@stratalog/harness';
import { TestApps } from './testing/apps/test-apps';
import { TOKEN, onTestServers } from './testing/apps/test-servers';

const START_MS = limitMs(180_000);
const LIMIT_MS = limitMs(60_000);
const CLI = join(import.meta.dirname, '../../bootstrap/cli.mjs');
const APPS = ['writer', 'indexer', 'query', 'graph', 'admin'];

interface Health {
  readonly code: number;
  readonly status: string;
  readonly roles: readonly {
    name: string;
    status: string;
    instances: number;
    lag?: number;
    isLagStale?: true;
  }[];
  readonly instances: readonly { app: string; status: string; pid: number; address: string }[];
}

describe('the health of a distributed catalog', () => {
  let database: ScratchDatabase;
  let apps: TestApps;
  let url: string;
  const running = new Map<string, AppProgram>();

  beforeAll(async () => {
    buildBundles();
    database = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    apps = new TestApps(onTestServers(database.url));
    const ingest = await apps.start('ingest').ready();
    for (const app of APPS) running.set(app, apps.start(app));
    const urls = new Map<string, string>([['ingest', ingest]]);
    await Promise.all([...running].map(async ([name, app]) => urls.set(name, await app.ready())));
    const served = ['ingest', 'query', 'graph', 'admin'].map((name) => [
      `STRATALOG_${name.toUpperCase()}_URLS`,
      urls.get(name),
    ]);
    url = await apps.start('proxy', Object.fromEntries(served) as NodeJS.ProcessEnv).ready();
  }, START_MS);
  afterAll(async () => {
    await apps.end();
    await database.drop();
  });

  const health = async (): Promise<Health> => {
    const answer = await fetch(`${url}/health`);
    const known = (await answer.json()) as Omit<Health, 'code' | 'instances'>;
    // The states are for anybody, the processes for operators.
    expect(Object.keys(known).sort()).toEqual(['apps', 'roles', 'status']);
    const headers = { authorization: `Bearer ${TOKEN}` };
    const details = await (await fetch(`${url}/operations/health`, { headers })).json();
    const { instances } = details as Pick<Health, 'instances'>;
    return { code: answer.status, ...known, instances };
  };
  const roleOf = ({ roles }: Health, role: string) => roles.find(({ name }) => name === role);
  const isReady = async (): Promise<boolean> => (await health()).status === 'ready';
  /** Exit code and output. */
  const cliStatus = (): Promise<readonly [number, string]> =>
    new Promise((resolve) => {
      const env = { ...process.env, STRATALOG_TOKEN: TOKEN };
      execFile(process.execPath, [CLI, 'status', '--server', url], { env }, (error, stdout) => {
        resolve([error === null ? 0 : Number(error.code), stdout]);
      });
    });

  it(
    'names every process with its role, address and lag',
    async () => {
      await until(isReady, LIMIT_MS);
      await until(async () => roleOf(await health(), 'indexer')?.lag === 0, LIMIT_MS);
      // A process that has just become ready says so with its next sign of life.
      await until(async () => (await health()).instances.every(({ status }) => status === 'ready'), LIMIT_MS);
      const told = await health();
      expect(told.roles.map(({ name, status }) => `${name} ${status}`)).toEqual(
        ['ingest', 'query', 'graph', 'admin', 'writer', 'indexer'].map((name) => `${name} ready`),
      );
      expect(['writer', 'indexer', 'graph'].map((name) => roleOf(told, name)?.lag)).toEqual([0, 0, 0]);
      expect(told.instances.map(({ app }) => app).sort()).toEqual(['ingest', ...APPS].sort());
      expect(told.instances.every(({ address }) => /^http:\/\/127\.0\.0\.1:\d+$/.test(address))).toBe(true);
      const [code, table] = await cliStatus();
      expect(code).toBe(0);
      for (const { app, pid, address } of told.instances)
        expect(table).toMatch(new RegExp(`^${app} +\\S.*ready.*${address} .* ${String(pid)} `, 'm'));
    },
    2 * LIMIT_MS,
  );

  it.each([
    ['writer', 'SIGSTOP'],
    ['indexer', 'SIGKILL'],
    ['graph', 'SIGTERM'],
  ] as const)(
    'is not ready while the only %s has got a %s, and is again when there is one',
    async (app, signal) => {
      await until(isReady, LIMIT_MS);
      const process = running.get(app);
      process?.signal(signal);
      await until(async () => roleOf(await health(), app)?.status === 'missing', LIMIT_MS);
      const told = await health();
      // Without an indexer reads and writes go on, and searches find what was indexed.
      const code = app === 'indexer' ? 200 : 503;
      expect([told.code, told.status]).toEqual([code, 'degraded']);
      // What it had to do yet is known, and that nobody counts it now.
      expect(roleOf(told, app)).toMatchObject({ lag: 0, isLagStale: true });
      // An instance that ends in order leaves the registry. Another app tells the processes, and may know it a moment later.
      await until(async () => {
        const own = (await health()).instances.filter((each) => each.app === app);
        return own.map(({ status }) => status).join() === (signal === 'SIGTERM' ? '' : 'lost');
      }, LIMIT_MS);
      const [exit, text] = await cliStatus();
      expect(text).toMatch(/^status +degraded$/m);
      expect([exit, text]).toEqual(
        app === 'indexer' ? [0, text] : [1, expect.stringContaining('no (HTTP status 503)')],
      );
      if (signal === 'SIGSTOP') process?.signal('SIGCONT');
      else {
        // At its former address, which the proxy uses.
        const port = /:(\d+)$/.exec((await process?.ready()) ?? '')?.[1];
        await process?.ended;
        running.set(app, apps.start(app, { STRATALOG_PORT: port }));
      }
      await until(isReady, LIMIT_MS);
      await until(async () => {
        const again = (await health()).instances.filter((each) => each.app === app);
        return again.map(({ status }) => status).join() === 'ready';
      }, LIMIT_MS);
    },
    4 * LIMIT_MS,
  );
});
