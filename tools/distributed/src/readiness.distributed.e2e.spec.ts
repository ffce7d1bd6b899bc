import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  startKafka,
  startPostgres,
  startSearchEngine,
  type RunningKafka,
  type RunningPostgres,
  type RunningSearchEngine,
} from '@stratalog/local-stack';
import { until } from '@stratalog/testkit';
import { buildBundles, findServer, killServer } from '@stratalog/harness';
import { TestApps } from './testing/apps/test-apps';
import { TOKEN, onTestServers } from './testing/apps/test-servers';

const START_MS = limitMs(300_000);
const LIMIT_MS = limitMs(60_000);
const APPS = ['ingest', 'writer', 'indexer', 'graph', 'query', 'admin'];
const URN = 'urn:li:tag:kept';
const SEARCH = { input: '*', entity: 'tag', start: 0, count: 1 };

interface Answer {
  readonly code: number;
  readonly status?: string;
  readonly roles?: readonly { readonly name: string; readonly status: string }[];
}

describe('the readiness of a distributed catalog whose servers die', () => {
  let kafka: RunningKafka;
  let postgres: RunningPostgres;
  let engine: RunningSearchEngine;
  let apps: TestApps;
  const urls = new Map<string, string>();
  const folder = mkdtempSync(join(tmpdir(), 'stratalog-readiness-'));

  beforeAll(async () => {
    buildBundles();
    [kafka, postgres, engine] = await Promise.all([
      startKafka(),
      startPostgres({ dataDir: folder }),
      startSearchEngine({ kind: 'opensearch' }),
    ]);
    apps = new TestApps({
      ...onTestServers(postgres.url),
      KAFKA_BROKERS: kafka.brokers.join(','),
      ELASTICSEARCH_URL: engine.url,
      STRATALOG_COMMIT_TIMEOUT_MS: String(limitMs(10_000)),
    });
    for (const app of APPS) urls.set(app, await apps.start(app).ready());
    const of = (app: string): string => urls.get(app) ?? '';
    const proxy = apps.start('proxy', {
      STRATALOG_INGEST_URLS: of('ingest'),
      STRATALOG_QUERY_URLS: of('query'),
      STRATALOG_GRAPH_URLS: of('graph'),
      STRATALOG_ADMIN_URLS: of('admin'),
    });
    urls.set('proxy', await proxy.ready());
    await untilAllReady();
    expect(await write()).toBe(200);
    await until(async () => (await search()) === 200, LIMIT_MS);
  }, START_MS);
  afterAll(async () => {
    await apps.end();
    await Promise.all([kafka.stop(), postgres.stop(), engine.stop()]);
    rmSync(folder, { recursive: true });
  }, START_MS);

  const ask = async (app: string, target: string): Promise<Answer> => {
    const answer = await fetch(`${urls.get(app) ?? ''}${target}`);
    const text = await answer.text();
    // Any caller may ask, so no answer names a server, a process or a version.
    expect(text).not.toMatch(/127\.0\.0\.1|localhost|:\d{4}|"(pid|host|address|url|version|reason)"/);
    return { code: answer.status, ...(JSON.parse(text) as object) };
  };
  const isReady = async (app: string): Promise<boolean> => (await ask(app, '/health/ready')).code === 200;
  const roleStatus = async (app: string, role: string): Promise<string | undefined> =>
    (await ask(app, '/health/ready')).roles?.find(({ name }) => name === role)?.status;
  const untilReadyIs = (app: string, expected: boolean): Promise<void> =>
    until(async () => (await isReady(app)) === expected, LIMIT_MS);
  const untilAllReady = async (): Promise<void> => {
    for (const app of urls.keys()) await untilReadyIs(app, true);
    await until(async () => (await ask('proxy', '/health')).status === 'ready', LIMIT_MS);
  };
  const expectAllLive = async (): Promise<void> => {
    for (const app of urls.keys())
      expect([app, await ask(app, '/health/live')]).toEqual([app, { code: 200, status: 'live' }]);
  };
  const call = async (target: string, body?: object): Promise<number> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${urls.get('proxy') ?? ''}${target}`, init);
    await answer.text();
    return answer.status;
  };
  const logOf = (app: string): string => apps.running.find((each) => each.app === app)?.stderr ?? '';
  const faultsIn = (app: string): readonly Readonly<Record<string, unknown>>[] =>
    logOf(app)
      .split('\n')
      .filter((line) => line.includes('"msg":"a stage cannot work'))
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const write = (): Promise<number> =>
    call('/aspects?action=ingestProposal', {
      proposal: {
        entityType: 'tag',
        entityUrn: URN,
        changeType: 'UPSERT',
        aspectName: 'tagProperties',
        aspect: { value: '{"name":"kept"}', contentType: 'application/json' },
      },
    });
  const read = (): Promise<number> => call(`/entitiesV2/${encodeURIComponent(URN)}`);
  const search = (): Promise<number> => call('/entities?action=search', SEARCH);

  it(
    'follows Kafka where proposals or changes pass through it, and nowhere else',
    async () => {
      await kafka.kill();
      for (const app of ['ingest', 'writer', 'indexer', 'graph']) await untilReadyIs(app, false);
      expect([await isReady('query'), await isReady('admin'), await read()]).toEqual([true, true, 200]);
      await until(async () => (await roleStatus('proxy', 'ingest')) === 'not-ready', LIMIT_MS);
      expect([await isReady('proxy'), (await ask('proxy', '/health')).code]).toEqual([true, 503]);
      expect((await ask('ingest', '/health')).status).toBe('degraded');
      await expectAllLive();
      for (const app of ['ingest', 'writer', 'indexer', 'graph'])
        await until(() => faultsIn(app).length > 0, LIMIT_MS);
      await kafka.restart();
      await untilAllReady();
      expect(await write()).toBe(200);
      // The reason is one line, and the client of Kafka adds none.
      for (const app of APPS) {
        const faults = faultsIn(app).map(({ stage, reason }) => `${String(stage)}: ${String(reason)}`);
        expect([app, faults]).toEqual([app, [...new Set(faults)]]);
        expect(logOf(app)).not.toContain('kafkajs');
      }
      expect(faultsIn('query')).toEqual([]);
    },
    3 * LIMIT_MS,
  );

  it(
    'says that searches are away with their engine, while reads, writes and the proxy stay ready',
    async () => {
      await engine.kill();
      await until(async () => (await roleStatus('query', 'search')) === 'not-ready', LIMIT_MS);
      await untilReadyIs('indexer', false);
      await until(async () => (await roleStatus('proxy', 'search')) === 'not-ready', LIMIT_MS);
      expect([await search(), await read(), await write()]).toEqual([503, 200, 200]);
      for (const app of ['ingest', 'query', 'writer', 'graph', 'admin', 'proxy'])
        expect([app, await isReady(app)]).toEqual([app, true]);
      await until(async () => (await ask('proxy', '/health')).status === 'degraded', LIMIT_MS);
      expect((await ask('proxy', '/health')).code).toBe(200);
      await expectAllLive();
      await engine.restart();
      await untilAllReady();
    },
    3 * LIMIT_MS,
  );

  it(
    'ends everywhere with PostgreSQL, and returns with it; every process stays live',
    async () => {
      const server = findServer(join(folder, 'postgresql'));
      if (server !== undefined) killServer(server);
      for (const app of urls.keys()) await untilReadyIs(app, false);
      expect([await read(), (await ask('proxy', '/health')).code]).toEqual([503, 503]);
      await expectAllLive();
      await postgres.restart();
      await untilAllReady();
      expect([await read(), await write()]).toEqual([200, 200]);
    },
    3 * LIMIT_MS,
  );

  it('shows reasons and processes to operators only', async () => {
    const target = `${urls.get('proxy') ?? ''}/operations/health`;
    expect((await fetch(target)).status).toBe(401);
    const known = async (): Promise<readonly { app: string; pid: number }[]> => {
      const answer = await fetch(target, { headers: { authorization: `Bearer ${TOKEN}` } });
      return ((await answer.json()) as { instances: { app: string; pid: number }[] }).instances;
    };
    // An instance is known again once it has reported itself to the server that came back.
    await until(async () => (await known()).length === APPS.length, LIMIT_MS);
    const instances = await known();
    expect(instances.map(({ app }) => app).sort()).toEqual([...APPS].sort());
    expect(instances.every(({ pid }) => pid > 0)).toBe(true);
  });
});
