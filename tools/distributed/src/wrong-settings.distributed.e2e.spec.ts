import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '@stratalog/runtime';
import { until } from '@stratalog/testkit';
import pg from 'pg';
import { buildBundles } from '@stratalog/harness';
import { TestApps } from './testing/apps/test-apps';
import { TcpGate } from './testing/apps/tcp-gate';
import { onTestServers } from './testing/apps/test-servers';

const START_MS = limitMs(180_000);
const LIMIT_MS = limitMs(60_000);

/** Well-formed addresses and names whose servers do not meet the catalog's needs. */
describe('an app of the distributed profile', () => {
  const databases: ScratchDatabase[] = [];
  let servers: NodeJS.ProcessEnv;
  let apps: TestApps;
  let stranger: Server;

  const newDatabase = async (): Promise<string> => {
    const database = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    databases.push(database);
    return database.url;
  };
  beforeAll(async () => {
    buildBundles();
    servers = onTestServers(await newDatabase());
    apps = new TestApps(servers);
    stranger = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
    await apps.start('ingest').ready();
    await apps.end();
  }, START_MS);
  afterEach(() => apps.end());
  afterAll(async () => {
    stranger.close();
    for (const database of databases) await database.drop();
  });

  /** Starts an app, expects it to end by itself, and returns its last output. */
  const lastWords = async (settings: NodeJS.ProcessEnv): Promise<string> => {
    const app = apps.start('ingest', settings);
    expect((await app.ended).code).toBe(1);
    return app.stderr.trim().split('\n').at(-1) ?? '';
  };
  const host = (address: string): string => new URL(address).host;
  const strangerUrl = (): string => `http://127.0.0.1:${String((stranger.address() as AddressInfo).port)}`;

  // The other apps start as ingest does.
  it.each(['ingest', 'proxy'])(
    'refuses to start without a token that it shares with the others: %s',
    async (app) => {
      const started = apps.start(app, { STRATALOG_TOKEN: '', STRATALOG_DATA_DIR: tmpdir() });
      expect((await started.ended).code).toBe(1);
      expect(started.stderr).toBe(
        'stratalog: STRATALOG_TOKEN is not set; STRATALOG_PROFILE=distributed needs it, the same for every app\n',
      );
    },
    LIMIT_MS,
  );

  it.each([
    [
      'a wrong password for PostgreSQL',
      () => ({ DATABASE_URL: servers.DATABASE_URL?.replace(/:[^:@]+@/, ':secret@') }),
      /^stratalog: DATABASE_URL: .* cannot be used: password authentication failed/,
    ],
    [
      'a database that is not there',
      () => ({ DATABASE_URL: servers.DATABASE_URL?.replace(/[^/]+$/, 'nothing') }),
      /^stratalog: DATABASE_URL: .*\/nothing cannot be used: database "nothing" does not exist/,
    ],
    [
      'SASL at brokers that know none',
      () => ({ KAFKA_SASL_MECHANISM: 'plain', KAFKA_USERNAME: 'u', KAFKA_PASSWORD: 'secret' }),
      /^stratalog: KAFKA_BROKERS: .* cannot be used: Kafka rejected us: /,
    ],
    [
      'another number of partitions than that of the topics',
      async () => ({
        DATABASE_URL: await newDatabase(),
        STRATALOG_PARTITIONS: '5',
      }),
      /Topic \S+ has 4 partitions, but the store has 5\. Remove the topic .* or choose another prefix or topic name/,
    ],
    [
      'one topic for two purposes',
      () => ({ KAFKA_PROPOSAL_TOPIC: 'same', KAFKA_CHANGE_TOPIC: 'same' }),
      /Topic same is named for two purposes/,
    ],
    [
      'what is no search engine',
      () => ({ ELASTICSEARCH_URL: strangerUrl() }),
      /is neither Elasticsearch nor OpenSearch/,
    ],
    [
      'what is no schema registry',
      () => ({ KAFKA_SCHEMA_REGISTRY_URL: `${strangerUrl().replace('//', '//u:secret@')}/api` }),
      /^stratalog: KAFKA_SCHEMA_REGISTRY_URL: 127\.0\.0\.1:\d+\/api cannot be used: What answers there is no schema registry/,
    ],
    [
      'indices of another catalog',
      async () => ({
        DATABASE_URL: await newDatabase(),
        KAFKA_TOPIC_PREFIX: `${servers.KAFKA_TOPIC_PREFIX ?? ''}x.`,
      }),
      /belong to another catalog \(store \w+, this one is \w+\)\. Set STRATALOG_INDEX_PREFIX/,
    ],
    [
      'an index that somebody else made',
      async () => {
        const prefix = `${servers.STRATALOG_INDEX_PREFIX ?? ''}foreign`;
        await fetch(`${servers.ELASTICSEARCH_URL ?? ''}/${prefix}meta`, { method: 'PUT' });
        return { STRATALOG_INDEX_PREFIX: prefix };
      },
      /has an index \w+meta that this catalog did not make: choose another index prefix, or remove it/,
    ],
  ])(
    'ends with the reason at %s',
    async (_name, settings, reason) => {
      const words = await lastWords(await settings());
      expect(words).toMatch(reason);
      expect(words).not.toContain('secret');
    },
    LIMIT_MS,
  );

  it(
    'ends with the reason at a store that a newer program has been at',
    async () => {
      const url = await newDatabase();
      const settings = {
        DATABASE_URL: url,
        STRATALOG_INDEX_PREFIX: `${servers.STRATALOG_INDEX_PREFIX ?? ''}new`,
      };
      const prefix = { KAFKA_TOPIC_PREFIX: `${servers.KAFKA_TOPIC_PREFIX ?? ''}new.` };
      await apps.start('query', { ...settings, ...prefix }).ready();
      await apps.end();
      await migratedByNewer(url);
      expect(await lastWords({ ...settings, ...prefix })).toMatch(
        /was brought to Later\d+ by a newer program/,
      );
    },
    2 * LIMIT_MS,
  );

  it.each([
    ['PostgreSQL', 'DATABASE_URL'],
    ['Kafka', 'KAFKA_BROKERS'],
    ['the search engine', 'ELASTICSEARCH_URL'],
  ])(
    'waits for %s that is not up yet, and says so',
    async (server, setting) => {
      const address = servers[setting] ?? '';
      const target = address.includes('//') ? host(address) : address;
      const gate = await TcpGate.closed(target);
      try {
        const app = apps.start('ingest', { [setting]: address.replace(target, gate.address) });
        await until(() => app.stderr.includes(`waiting for ${server}`), LIMIT_MS);
        expect(app.stderr).toContain(`ECONNREFUSED ${gate.address}`);
        await gate.open();
        await app.ready();
        expect(app.stderr.split('"msg":"waiting for')).toHaveLength(2);
      } finally {
        await apps.end();
        await gate.close();
      }
    },
    2 * LIMIT_MS,
  );
});

async function migratedByNewer(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `insert into schema_migration (timestamp, name) values (2999010100001, 'Later2999010100001')`,
  );
  await client.end();
}
