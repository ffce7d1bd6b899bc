import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '@stratalog/runtime';
import { until } from '@stratalog/testkit';
import { buildBundles, type AppProgram } from '@stratalog/harness';
import { freePort } from '@stratalog/local-stack';
import { RollingLoad } from './rolling-load';
import { TestApps } from '../testing/apps/test-apps';
import { TOKEN, onTestServers } from '../testing/apps/test-servers';

const START_MS = limitMs(180_000);
const LIMIT_MS = limitMs(60_000);
const REQUESTS_PER_SECOND = 20;
const APPS = ['ingest', 'writer', 'indexer', 'query', 'graph', 'admin'] as const;
const SERVED = ['ingest', 'query', 'graph', 'admin'] as const;
type App = (typeof APPS)[number] | 'proxy';

describe('a distributed catalog whose processes are replaced', () => {
  let database: ScratchDatabase;
  let apps: TestApps;
  const running = new Map<string, AppProgram>();
  const ports = new Map<string, number>();

  const start = (app: App, which: 1 | 2): Promise<string> => {
    const name = `${app}-${String(which)}`;
    const urls = SERVED.map((each) => [`STRATALOG_${each.toUpperCase()}_URLS`, urlsOf(each).join()] as const);
    const process = apps.start(app, {
      STRATALOG_PORT: String(ports.get(name)),
      ...(app === 'proxy' ? Object.fromEntries(urls) : {}),
    });
    running.set(name, process);
    return process.ready(START_MS);
  };
  const urlsOf = (app: App): readonly string[] =>
    [1, 2].map((which) => `http://127.0.0.1:${String(ports.get(`${app}-${String(which)}`))}`);

  beforeAll(async () => {
    buildBundles();
    database = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    apps = new TestApps(onTestServers(database.url));
    for (const app of [...APPS, 'proxy'])
      for (const which of [1, 2]) ports.set(`${app}-${String(which)}`, await freePort());
    await start('ingest', 1);
    await Promise.all(APPS.filter((app) => app !== 'ingest').map((app) => start(app, 1)));
    await start('proxy', 1);
  }, START_MS);
  afterAll(async () => {
    await apps.end();
    await database.drop();
  });

  it(
    'fails no request while a new process of each app joins and the old one leaves',
    async () => {
      const load = new RollingLoad({ urls: urlsOf('proxy'), token: TOKEN, perSecond: REQUESTS_PER_SECOND });
      await until(() => load.isServed(), LIMIT_MS);
      load.start();
      for (const app of [...APPS, 'proxy'] as const) {
        await start(app, 2);
        await until(() => load.knowsSecond(app), LIMIT_MS);
        expect(await running.get(`${app}-1`)?.stop('SIGTERM')).toMatchObject({ code: 0 });
      }
      const { answered, failures } = await load.stop();
      expect(failures).toEqual([]);
      expect(answered).toBeGreaterThan(200);
    },
    20 * LIMIT_MS,
  );
});
