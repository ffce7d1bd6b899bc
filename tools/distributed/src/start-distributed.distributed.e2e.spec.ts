import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '@stratalog/runtime';
import { until } from '@stratalog/testkit';
import pg from 'pg';
import { startOf } from '../../bootstrap/workspace/only-one.mjs';
import { Command, START_MS } from './testing/apps/command';
import { onTestServers } from './testing/apps/test-servers';

const CLI = join(import.meta.dirname, '../../bootstrap/cli.mjs');
const URN = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)';

describe('npm run start:distributed', () => {
  let database: ScratchDatabase;
  let command: Command | undefined;
  let folder: string;

  const prepare = async (): Promise<void> => {
    folder = mkdtempSync(join(tmpdir(), `stratalog-test-${String(process.pid)}-distributed-`));
    database = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
  };
  const remove = async (): Promise<void> => {
    await command?.stop('SIGKILL');
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  };

  /** Nothing is said of tokens. */
  const byDefault = (): NodeJS.ProcessEnv => ({
    ...onTestServers(database.url),
    STRATALOG_TOKEN: '',
    STRATALOG_AUTH: '',
    STRATALOG_PORT: '0',
    STRATALOG_DATA_DIR: folder,
  });

  describe('started once', () => {
    let started: Command;
    let url: string;
    beforeAll(async () => {
      await prepare();
      started = command = new Command('start-distributed', {
        ...byDefault(),
        STRATALOG_NO_SUCH_SETTING: '1',
      });
      url = await started.ready();
    }, START_MS);
    afterAll(remove);

    it(
      'wants the token that it has made, and shows the command that prints it',
      async () => {
        const read = `${url}/entitiesV2/${encodeURIComponent(URN)}`;
        const [open, wrong] = [
          await fetch(read),
          await fetch(read, { headers: { authorization: 'Bearer x' } }),
        ];
        expect([open.status, wrong.status]).toEqual([401, 401]);
        const token = await tokenBy(started);
        expect(token).toMatch(/^[\w-]{43}$/);
        expect(statSync(join(folder, 'operator-token')).mode & 0o777).toBe(0o600);
        const known = await fetch(read, { headers: { authorization: `Bearer ${token}` } });
        expect(known.status).toBe(200);
        expect((await fetch(`${url}/health`)).status).toBe(200);
      },
      START_MS,
    );

    it(
      'starts an app again that was killed, says so, and names which app each line comes from',
      async () => {
        const { stdout: said, stderr: logged } = started;
        for (const app of ['ingest', 'writer', 'indexer', 'query', 'graph', 'admin']) {
          const [, metrics = ''] =
            new RegExp(`^  ${app} +\\d+ +http://127\\S+ +(http://\\S+/metrics)$`, 'm').exec(said) ?? [];
          expect((await fetch(metrics)).status).toBe(200);
          expect(logged).toMatch(new RegExp(`^${app} \\| \\{"level":"warn".*STRATALOG_NO_SUCH_SETTING`, 'm'));
        }
        const health = async (): Promise<Record<string, unknown>> =>
          (await (await fetch(`${url}/health`)).json()) as Record<string, unknown>;
        const readStatus = async (): Promise<unknown> => (await health()).status;

        for (const [app, times] of [
          ['writer', 2],
          ['query', 2],
          ['proxy', 2],
          ['writer', 3],
        ] as const) {
          const shown = [
            ...started.stderr.matchAll(new RegExp(`^stratalog: ${app} ready .*process (\\d+)`, 'gm')),
          ];
          process.kill(Number(shown.at(-1)?.[1]), 'SIGKILL');
          await until(() => started.count(app) === times, START_MS);
          expect(started.stderr).toContain(
            `stratalog: ${app} ended by itself (SIGKILL) and is started again in `,
          );
        }
        await until(async () => (await readStatus()) === 'ready', START_MS);
        const headers = { authorization: `Bearer ${await tokenBy(started)}` };
        const body =
          '{"proposal":{"entityType":"tag","entityUrn":"urn:li:tag:x","changeType":"UPSERT","aspectName":"status",' +
          '"aspect":{"value":"{\\"removed\\":false}","contentType":"application/json"}}}';
        const written = await fetch(`${url}/aspects?action=ingestProposal`, {
          method: 'POST',
          headers,
          body,
        });
        expect([written.status, await written.json()]).toEqual([200, { value: 'urn:li:tag:x' }]);
        expect(started.stderr).not.toContain('an idle database connection broke');
      },
      2 * START_MS,
    );

    it(
      'goes on when its output is not read, and ends in order when its owner is gone',
      async () => {
        const headers = { authorization: `Bearer ${await tokenBy(started)}` };
        started.hangUp();
        const processesOf = async (app: string): Promise<readonly number[]> => {
          const answer = await fetch(`${url}/operations/health`, { headers });
          const { instances = [] } = (await answer.json()) as {
            readonly instances?: readonly { readonly app: string; readonly pid: number }[];
          };
          return instances.filter((instance) => instance.app === app).map(({ pid }) => pid);
        };
        const known = new Set(await processesOf('query'));
        const [running] = [...started.stderr.matchAll(/^stratalog: query ready .*process (\d+)/gm)].slice(-1);
        process.kill(Number(running?.[1]), 'SIGKILL');
        // The command says so, and the new process says more.
        await until(async () => (await processesOf('query')).some((pid) => !known.has(pid)), START_MS);
        expect((await started.abandon()).code).toBe(0);
        await expect(fetch(`${url}/health`)).rejects.toThrow();
      },
      2 * START_MS,
    );
  });

  describe('started for each test', () => {
    beforeEach(prepare);
    afterEach(remove);

    it(
      'serves writes, reads and searches through the proxy, at the scale that is asked for, and stops in order',
      async () => {
        command = new Command('start-distributed', byDefault(), ['--writers', '2', '--indexers', '2']);
        const url = await command.ready();
        const headers = { authorization: `Bearer ${await tokenBy(command)}` };
        expect([command.count('writer'), command.count('indexer'), command.count('query')]).toEqual([
          2, 2, 1,
        ]);

        // To find out that it is ready it has written nothing.
        const ask = async (action: string, body: object): Promise<unknown> => {
          const target = `${url}/entities?action=${action}`;
          const answer = await fetch(target, { method: 'POST', headers, body: JSON.stringify(body) });
          return answer.json();
        };
        const everything = { entities: [], input: '*', count: 10 };
        expect(await ask('scrollAcrossEntities', everything)).toMatchObject({ value: { numEntities: 0 } });
        const platforms = { entity: 'dataPlatform', input: '*', start: 0, count: 10 };
        expect(await ask('search', platforms)).toMatchObject({ value: { numEntities: 0 } });
        expect(await changesIn(database.url)).toBe(0);

        const aspect = { value: '{"description":"Orders of the shop"}', contentType: 'application/json' };
        const written = await fetch(`${url}/aspects?action=ingestProposal`, {
          method: 'POST',
          headers,
          body: JSON.stringify({
            proposal: {
              entityType: 'dataset',
              entityUrn: URN,
              changeType: 'UPSERT',
              aspectName: 'datasetProperties',
              aspect,
            },
          }),
        });
        expect([written.status, await written.json()]).toEqual([200, { value: URN }]);
        const read = await fetch(`${url}/entitiesV2/${encodeURIComponent(URN)}`, { headers });
        expect(await read.json()).toMatchObject({
          aspects: { datasetProperties: { value: { description: 'Orders of the shop' } } },
        });
        const found = await fetch(`${url}/gms/entities?action=search`, {
          method: 'POST',
          headers: { ...headers, 'x-stratalog-wait-for': written.headers.get('x-stratalog-position') ?? '' },
          body: '{"input":"shop","entity":"dataset","start":0,"count":10}',
        });
        expect(await found.json()).toMatchObject({ value: { numEntities: 1, entities: [URN] } });
        expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: 'ready' });

        // Whichever app serves a route, the page and the document have it.
        const page = await (await fetch(`${url}/gms/restli/docs`, { headers })).text();
        const { paths } = (await (await fetch(`${url}/openapi.json`, { headers })).json()) as {
          paths: object;
        };
        expect(page).toContain('id="post-aspects-ingestProposal"');
        expect(Object.keys(paths)).toEqual(
          expect.arrayContaining(['/aspects', '/entities', '/schema-registry/api/subjects', '/openapi.json']),
        );

        const rejected = await fetch(`${url}/aspects?action=ingestProposal`, {
          method: 'POST',
          headers,
          body: '{"proposal":{"entityType":"dataset","entityUrn":"urn:li:dataset:x","changeType":"UPSERT"}}',
        });
        expect(rejected.status).toBeGreaterThanOrEqual(400);
        expect(rejected.status).toBeLessThan(500);
        expect((await command.stop()).code).toBe(0);
      },
      2 * START_MS,
    );

    it(
      'gives up an app that ends again and again, says so once with its last words, and stops everything',
      async () => {
        // A server of its own, too.
        const environment = { ...byDefault(), DATABASE_URL: '' };
        command = new Command('start-distributed', environment);
        await command.ready();
        const { stderr: logged } = command;
        const processes = [...logged.matchAll(/^stratalog: \S+ ready .*process (\d+)/gm)].map(([, pid]) =>
          Number(pid),
        );
        expect(processes).toHaveLength(7);
        const postmaster = join(folder, 'postgresql/postgres/postmaster.pid');
        const server = Number(readFileSync(postmaster, 'utf8').split('\n')[0]);
        const [, port, writer] =
          /^stratalog: writer ready http:\S+:(\d+) \(process (\d+)/m.exec(logged) ?? [];

        // It comes back to its port, on which another process listens.
        process.kill(Number(writer), 'SIGKILL');
        const squatter = await listenOn(Number(port));
        try {
          expect((await command.ended).code).toBe(1);
        } finally {
          squatter.close();
        }
        const words = command.stderr.match(/^stratalog: the writer app ends again and again.*$/gm);
        expect(words).toEqual([
          expect.stringMatching(
            /, the last time by exit code 1; it said at last: stratalog: STRATALOG_PORT .* is taken/,
          ),
        ]);
        expect(command.stderr.match(/^stratalog: writer ended by itself/gm)).toHaveLength(6);
        expect([...processes, server].filter((pid) => startOf(pid) !== undefined)).toEqual([]);
        expect(existsSync(postmaster)).toBe(false);
      },
      3 * START_MS,
    );

    it('says what is wrong with its arguments', async () => {
      command = new Command('start-distributed', onTestServers(database.url), [
        '--port',
        '0',
        '--writers',
        'x',
      ]);
      expect((await command.ended).code).toBe(2);
      expect(command.stderr).toMatch(/^error: option '--writers <n>' argument 'x' is invalid. Allowed: .*$/m);
      expect(command.stderr).not.toContain('Usage:');
    });
  });
});

/** Runs the command that it shows, and returns the output. */
async function tokenBy(command: Command): Promise<string> {
  const shown = /The operator's token: npm run cli -- (token --data-dir \S+)/.exec(command.stdout)?.[1] ?? '';
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...shown.split(' ')]);
  return stdout.trim();
}

/** Listens on the port as soon as it is free. */
async function listenOn(port: number): Promise<Server> {
  let server: Server | undefined;
  await until(async () => {
    const attempt = createServer().listen(port, '127.0.0.1');
    const isListening = await once(attempt, 'listening').then(
      () => true,
      () => false,
    );
    if (isListening) server = attempt;
    return isListening;
  });
  if (server === undefined) throw new Error(`no server could listen on ${String(port)}`);
  return server;
}

async function changesIn(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ count: number }>('select count(*)::integer as count from change');
  await client.end();
  return rows[0]?.count ?? -1;
}
