import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppProgram, buildBundles, plainEnvironment } from '@stratalog/harness';
import { createScratchDatabase, type ScratchDatabase } from '@stratalog/runtime';
import { until } from '@stratalog/testkit';
import { GuardedClient, OPERATOR } from './testing/guarded-client';
import { tokenTable } from './testing/token-table';

const START_MS = limitMs(180_000);
/** The apps that serve routes; none of the calls gets as far as the others. */
const APPS = ['ingest', 'query', 'graph', 'admin'] as const;

describe('tokens of a distributed catalog', () => {
  const programs: AppProgram[] = [];
  const urls = new Map<string, string>();
  let database: ScratchDatabase;
  let client: GuardedClient;

  beforeAll(async () => {
    buildBundles();
    database = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    const name = `t${randomBytes(4).toString('hex')}`;
    const environment = {
      ...plainEnvironment(),
      STRATALOG_PROFILE: 'distributed',
      STRATALOG_PORT: '0',
      STRATALOG_TOKEN: OPERATOR,
      DATABASE_URL: database.url,
      KAFKA_BROKERS: process.env.STRATALOG_TEST_KAFKA_BROKERS,
      ELASTICSEARCH_URL: process.env.STRATALOG_TEST_ELASTICSEARCH_URL,
      KAFKA_TOPIC_PREFIX: `${name}.`,
      STRATALOG_INDEX_PREFIX: name,
      STRATALOG_PARTITIONS: '2',
    };
    const start = async (app: string, settings: NodeJS.ProcessEnv = {}): Promise<string> => {
      const program = new AppProgram(app, { environment: { ...environment, ...settings } });
      programs.push(program);
      return program.ready(START_MS);
    };
    // The first app creates topics and tables; the others find them.
    const [first, ...others] = APPS;
    urls.set(first, await start(first));
    await Promise.all(others.map(async (app) => urls.set(app, await start(app))));
    const served = APPS.map((app) => [`STRATALOG_${app.toUpperCase()}_URLS`, urls.get(app)] as const);
    client = new GuardedClient(await start('proxy', Object.fromEntries(served)));
  }, START_MS);
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.stop('SIGKILL')));
    await database.drop();
  });

  describe('the table of every route and every caller', () => {
    tokenTable({ client: () => client, places: [['the proxy', () => client.url]] });
  });

  it.each(APPS)('the app %s suggests routes of other apps for a mistyped path', async (app) => {
    const ask = async (path: string) =>
      (await new GuardedClient(urls.get(app) ?? '').send(path, OPERATOR)).json.message;
    const hints = await Promise.all(['/relationshps', '/operatons', '/entitieV2'].map(ask));
    expect(hints).toEqual(
      ['/relationships', '/operations', '/entitiesV2'].map((path) =>
        expect.stringContaining(`did you mean ${path}?`),
      ),
    );
  });

  it('end in every app within seconds after their revocation', async () => {
    const { id, token } = await client.makeToken({ scopes: ['read', 'write', 'admin'] });
    /** A call that each app answers itself, also to a token without the scope. */
    const statuses = (): Promise<readonly number[]> =>
      Promise.all(
        APPS.map(
          async (app) => (await new GuardedClient(urls.get(app) ?? '').send('/nowhere', token)).status,
        ),
      );
    expect(await statuses()).toEqual([404, 404, 404, 404]);
    await client.administer('revokeToken', { id });
    expect((await statuses())[APPS.indexOf('admin')]).toBe(401);
    await until(async () => (await statuses()).every((status) => status === 401));
  });
});
