import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT, plainEnvironment } from '@stratalog/harness';
import { until } from '@stratalog/testkit';
import { catalogsForSuite } from '../testing/catalog/catalog-process';
import { exchange } from '../testing/catalog/raw-http';

const URN = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)';
const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** Extracts the commands that the program prints. */
function commandsIn(output: string): readonly string[] {
  return output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('curl '));
}

/** Runs a printed command unchanged; without curl, sends the same request. */
async function runCommand(command: string, settings: Readonly<Record<string, string>>): Promise<unknown> {
  if (hasCurl) {
    const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
      cwd: ROOT,
      env: { ...plainEnvironment(), ...settings, NO_PROXY: '*', no_proxy: '*' },
      encoding: 'utf8',
    });
    expect([status, stdout === '' ? stderr : '']).toEqual([0, '']);
    return JSON.parse(stdout) as unknown;
  }
  const [, url = '', body] = /'(http[^']*)'(?: -d '([^']*)')?$/.exec(command) ?? [];
  const { port, pathname, search } = new URL(url);
  const { json } = await exchange(Number(port), {
    method: body === undefined ? 'GET' : 'POST',
    target: `${pathname}${search}`,
    ...(body === undefined ? {} : { body }),
  });
  return json;
}

/** The command line of a process; empty when it has ended. */
function readCommandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

describe('the program', () => {
  const { folder, start } = catalogsForSuite();
  const linesIn = (log: string): readonly Readonly<Record<string, unknown>>[] =>
    log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const token = (): string => readFileSync(join(folder.path, 'operator-token'), 'utf8');

  it.each([
    ['the files of its server are being made', () => folder.processes().length > 1],
    ['its server has just been started', () => existsSync(folder.serverPidFile)],
  ])('told to stop while %s leaves nothing running', async (_name, moment) => {
    const catalog = start();
    await until(moment);
    expect(await catalog.stop('SIGTERM')).toMatchObject({ code: 0, signal: null });
    expect(folder.processes()).toEqual([]);
  });

  it('shows no token in its answers, its log, its documentation or the list of processes', async () => {
    const secrets = { right: 'a-right-token-of-this-test', wrong: 'a-wrong-token-of-this-test' };
    const catalog = start({
      STRATALOG_TOKEN: secrets.right,
      STRATALOG_AUTH: 'all',
      STRATALOG_LOG_LEVEL: 'debug',
    });
    const client = await catalog.client();
    const shown: string[] = [];
    const ask = async (target: string, authorization: string): Promise<number> => {
      const { status, headers, body } = await client.get(target, { authorization });
      shown.push(JSON.stringify(headers), body);
      return status;
    };
    const basic = (password: string): string => `Basic ${Buffer.from(`user:${password}`).toString('base64')}`;
    const targets = ['/config', '/health', '/restli/docs', '/openapi.json', '/operations/audit', '/nowhere'];
    for (const target of [...targets, '/entitiesV2/%FF', '/operations/tasks?count=many']) {
      for (const token of Object.values(secrets)) {
        for (const header of [`Bearer ${token}`, basic(token), `Bearer ${token} twice`])
          await ask(target, header);
      }
    }
    expect(await ask('/operations/audit', `Bearer ${secrets.right}`)).toBe(200);
    expect(await ask('/operations/audit', `Bearer ${secrets.wrong}`)).toBe(401);
    const programs = folder.processes().map(readCommandLine);
    expect(programs.length).toBeGreaterThan(1);
    const text = [...shown, ...programs, catalog.stdout, catalog.stderr].join('\n');
    for (const secret of Object.values(secrets)) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(basic(secret).slice('Basic '.length));
    }
    expect(await catalog.stop('SIGTERM')).toMatchObject({ code: 0, signal: null });
  });

  it.each([
    [{ STRATALOG_LOG_LEVEL: 'debug' }, 'debug'],
    [{ STRATALOG_ACCESS_LOG: 'on' }, 'info'],
    [{}, undefined],
  ])('logs calls by the settings %j at the level %s, and batches at debug only', async (settings, level) => {
    const catalog = start(settings);
    const client = await catalog.client();
    await client.write('urn:li:tag:logged', 'tagProperties', { name: 'logged' });
    await client.caughtUp();
    await client.get('/entitiesV2/urn:li:tag:logged?token=a-secret-of-somebody');
    const { stderr } = await catalog.stop('SIGTERM');
    const linesOf = (message: string) => linesIn(stderr).filter(({ msg }) => msg === message);
    const calls = linesOf('a call was answered');
    expect(stderr).not.toContain('a-secret-of-somebody');
    if (level === undefined) expect(calls).toEqual([]);
    else {
      expect(calls).toContainEqual(
        expect.objectContaining({
          level,
          call: 'GET /entitiesV2/:urn',
          target: '/entitiesV2/urn:li:tag:logged?token=***',
          status: 200,
          durationMs: expect.any(Number),
          actor: 'urn:li:corpuser:unknown',
          address: '127.0.0.1',
        }),
      );
      expect(calls).toContainEqual(expect.objectContaining({ call: 'POST /aspects ingestProposal' }));
    }
    const consumers = linesOf('a batch was delivered').map(({ consumer }) => String(consumer).split('-')[0]);
    expect([...new Set(consumers)].sort()).toEqual(
      level === 'debug' ? ['graph', 'incidents', 'indexer', 'writer'] : [],
    );
  });

  it('continues when its log is on a full disk', async () => {
    const stderr = openSync('/dev/full', 'w');
    const running = start({ STRATALOG_LOG_LEVEL: 'debug' }, [], stderr);
    closeSync(stderr);
    expect((await (await running.client()).get('/health')).status).toBe(200);
    expect(await running.stop('SIGTERM')).toMatchObject({ code: 0, signal: null });
  });

  it('continues when its output has no reader', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as AddressInfo;
    blocker.close();
    const catalog = start({ STRATALOG_PORT: String(port) });
    catalog.hangUp();
    const isReady = async (): Promise<boolean> =>
      (await exchange(port, { method: 'GET', target: '/health' }).catch(() => undefined))?.status === 200;
    await until(async () => catalog.end !== undefined || (await isReady()));
    expect(await catalog.stop('SIGTERM')).toMatchObject({ code: 0, signal: null });
  });

  it('the program on a new folder is ready, prints three commands that work, and stops on SIGTERM', async () => {
    const catalog = start();
    const url = await catalog.ready();
    const commands = commandsIn(catalog.stdout);
    expect(commands).toHaveLength(3);
    const [write = '', read = '', search = ''] = commands;
    expect(await runCommand(write, folder.environment)).toEqual({ value: URN });
    expect(await runCommand(read, folder.environment)).toMatchObject({
      urn: URN,
      aspects: { datasetProperties: { value: { description: 'Orders of the shop' } } },
    });
    await (await catalog.client()).caughtUp();
    expect(await runCommand(search, folder.environment)).toMatchObject({
      value: { numEntities: 1, entities: [URN] },
    });

    expect(catalog.stdout.startsWith(`stratalog ready ${url}\n`)).toBe(true);
    expect(token()).toMatch(/^[\w-]{43}\n$/);
    for (const secret of ['operator-token', 'password']) {
      expect(statSync(join(folder.path, secret)).mode & 0o777).toBe(0o600);
    }
    expect(folder.processes().length).toBeGreaterThan(0);
    const ending = await catalog.stop('SIGTERM');
    expect(ending).toMatchObject({ code: 0, signal: null });
    expect(ending.stderr).not.toMatch(/"level":"(?:warn|error)"/);
    expect(
      linesIn(ending.stderr).filter(({ msg }) => ['ready', 'stopping', 'stopped'].includes(String(msg))),
    ).toMatchObject([
      { level: 'info', app: 'standalone', msg: 'ready', url },
      { level: 'info', msg: 'stopping', reason: 'SIGTERM' },
      { level: 'info', msg: 'stopped' },
    ]);
    expect(ending.stderr).not.toContain('options without effect');
    expect(folder.processes()).toEqual([]);
    expect(readdirSync(folder.path).sort()).toEqual([
      'address',
      'operator-token',
      'password',
      'postgres',
      'postgres.log',
    ]);
  });

  it('keeps its data and its token, locks its folder, and stops on SIGINT', async () => {
    const before = token();
    const catalog = start();
    const client = await catalog.client();
    expect((await client.aspect(URN, 'datasetProperties', 1)).status).toBe(200);
    expect((await client.find('shop')).urns).toEqual([URN]);
    expect(token()).toBe(before);

    const second = await start().ended;
    expect([second.code, second.stdout]).toEqual([1, '']);
    expect(second.stderr).toMatch(
      new RegExp(`The data folder ${folder.path} is in use by process ${String(catalog.pid)} since 20`),
    );
    expect((await client.get('/health')).status).toBe(200);

    expect(await catalog.stop('SIGINT')).toMatchObject({ code: 0, signal: null });
    expect(folder.processes()).toEqual([]);
  });

  it('the program after a kill starts again with everything that was acknowledged', async () => {
    const killed = start();
    const client = await killed.client();
    const urns = Array.from({ length: 20 }, (_, n) => `urn:li:tag:kept-${String(n)}`);
    const writes = urns.map((urn) => client.write(urn, 'tagProperties', { name: 'kept' }));
    await Promise.all(writes);
    expect(await killed.stop('SIGKILL')).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(folder.processes().length).toBeGreaterThan(0);

    const next = start();
    const again = await next.client();
    for (const urn of urns) expect((await again.aspect(urn, 'tagProperties', 1)).status).toBe(200);
    await again.caughtUp();
    expect((await again.find('kept', { entity: 'tag' })).total).toBe(20);
    expect(await next.stop('SIGTERM')).toMatchObject({ code: 0 });
    expect(folder.processes()).toEqual([]);
  });

  it('the program with STRATALOG_AUTH=all shows the token in its commands; ends with a reason when its server has ended', async () => {
    const settings = { ...folder.environment, STRATALOG_AUTH: 'all' };
    const catalog = start(settings);
    await catalog.ready();
    const [, read = ''] = commandsIn(catalog.stdout);
    expect(read).toContain(
      `Authorization: Bearer $(npm run --silent cli -- token --data-dir ${folder.path})`,
    );
    if (hasCurl) expect(await runCommand(read, settings)).toMatchObject({ urn: URN });
    const { status } = await (await catalog.client()).get(`/entitiesV2/${encodeURIComponent(URN)}`);
    expect(status).toBe(401);

    process.kill(folder.serverPid(), 'SIGKILL');
    const { code, stderr } = await catalog.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^stratalog: PostgreSQL \(process \d+\) ended by itself: /m);
    expect(stderr).not.toMatch(/secretKey|password/);
    expect(folder.processes()).toEqual([]);
  });
});
