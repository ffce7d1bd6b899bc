import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedCatalog, rejection } from './testing/scripted-catalog';

let catalog: ScriptedCatalog;

beforeEach(async () => {
  catalog = await ScriptedCatalog.start();
});

afterEach(async () => {
  await catalog.stop();
});

describe('status', () => {
  it('prints the catalog’s whole report about itself, and the lag of its index', async () => {
    const stages = [
      { name: 'writer', state: 'running' },
      { name: 'indexer', state: 'starting', reason: 'new' },
    ];
    catalog.reply = (request) => {
      switch (request.url) {
        case '/health':
          return {
            status: 503,
            body: { status: 'starting', stages: stages.map(({ name, state }) => ({ name, state })) },
          };
        case '/operations/health':
          return { status: 200, body: { status: 'starting', stages } };
        case '/config':
          return { status: 200, body: { versions: { 'x/y': { version: '0.1.0' } } } };
        default:
          return { status: 200, headers: { 'X-Stratalog-Lag': '7' } };
      }
    };
    const status = async (...options: readonly string[]): Promise<unknown> => {
      const { exit, out } = await catalog.run(['status', ...options]);
      return [exit, out.split('\n').map((line) => line.split(/ {2,}/))];
    };
    const rows = (...reason: readonly string[][]): unknown => [
      1,
      [
        ['server', catalog.url],
        ['version', '0.1.0'],
        ['ready', 'no (HTTP status 503)'],
        ['status', 'starting'],
        ['stages.writer.state', 'running'],
        ['stages.indexer.state', 'starting'],
        ...reason,
        ['index', '7 changes behind'],
        [''],
      ],
    ];
    expect(await status()).toEqual(rows());
    // Reasons name servers, so only operators see them.
    expect(await status('--token', 'of-an-operator')).toEqual(rows(['stages.indexer.reason', 'new']));
  });

  it.each([401, 403])('reports that reading the lag of the index requires a token, at %i', async (status) => {
    const apps = [{ app: 'ingest', url: 'http://here', status: 'ready' }];
    catalog.reply = (request) =>
      request.url === '/health'
        ? { status: 200, body: { apps } }
        : rejection(status, 'This call needs a token');
    const { exit, out } = await catalog.run(['status']);
    expect(exit).toBe(0);
    expect(out).toMatch(/^apps\.ingest\.url +http:\/\/here$/m);
    expect(out).toMatch(/^index +not known: searches need a token/m);
  });

  it('prints the same as JSON', async () => {
    catalog.reply = (request) => {
      switch (request.url) {
        case '/health':
          return { status: 503, body: { status: 'degraded', stages: [{ name: 'writer' }] } };
        case '/config':
          return { status: 200, body: { versions: { 'x/y': { version: '0.1.0' } } } };
        default:
          return { status: 200, headers: { 'X-Stratalog-Lag': '7' } };
      }
    };
    const { exit, out } = await catalog.run(['status', '--json']);
    expect([exit, JSON.parse(out)]).toEqual([
      1,
      {
        server: catalog.url,
        version: '0.1.0',
        ready: false,
        httpStatus: 503,
        health: { status: 'degraded', stages: [{ name: 'writer' }] },
        lag: 7,
      },
    ]);
    catalog.reply = () => ({ status: 200 });
    expect(JSON.parse((await catalog.run(['status', '--json'])).out)).toEqual({
      server: catalog.url,
      version: null,
      ready: true,
      httpStatus: 200,
      health: {},
      lag: null,
    });
  });

  it('treats an empty answer as ready', async () => {
    expect(await catalog.run(['status'])).toMatchObject({ exit: 0 });
  });

  it('says how to start a catalog when none answers', async () => {
    const { exit, err } = await catalog.run(['status', '--server', 'http://127.0.0.1:1']);
    expect(exit).toBe(3);
    expect(err).toBe(
      'cannot reach the catalog at http://127.0.0.1:1 (connection refused): ' +
        'start one with "npm start", or name another with --server, STRATALOG_URL or a profile\n',
    );
  });
});

describe('the command line', () => {
  it('sends the token of its file', async () => {
    let authorization: string | undefined;
    catalog.reply = (request) => {
      authorization = request.headers.authorization;
      return { status: 200 };
    };
    await catalog.run(['status', '--token-file', await catalog.file('token', 'secret\n')]);
    expect(authorization).toBe('Bearer secret');
  });

  it('ends a call at Ctrl-C', async () => {
    const interrupt = new AbortController();
    catalog.reply = () => {
      interrupt.abort();
      return { status: 200, body: {} };
    };
    expect(await catalog.run(['get', 'urn:li:tag:a'], { interrupted: interrupt.signal })).toEqual({
      exit: 130,
      out: '',
      err: 'interrupted\n',
    });
  });

  it("prints the operator's token", async () => {
    await catalog.file('operator-token', 'secret\n');
    expect(await catalog.run(['token', '--data-dir', catalog.folder])).toEqual({
      exit: 0,
      out: 'secret\n',
      err: '',
    });
    const { out } = await catalog.run(['token', '--data-dir', catalog.folder, '--json']);
    expect(JSON.parse(out)).toEqual({ token: 'secret' });
    expect((await catalog.run(['token', '--data-dir', join(catalog.folder, 'none')])).exit).toBe(1);
  });

  it.each([
    [['load'], 'missing required argument'],
    [['load', 'x', '--concurrency', '0'], 'whole number from 1 to 64'],
    [['load', '/no/such/file'], 'no such file'],
    [['status', '--server', 'localhost:8080'], 'must be an address like'],
    [['nonsense'], 'unknown command'],
  ])('%j is wrong usage', async (args, reason) => {
    const { exit, err } = await catalog.run(args);
    expect(err).toContain(reason);
    expect(exit).toBe(2);
  });

  it('adds a pointer to the help to a message about arguments', async () => {
    for (const args of [['put', 'urn:li:tag:a'], ['put', '--valu', '1'], ['nonsense']]) {
      const { err } = await catalog.run(args);
      expect(err).toMatch(
        /^error: [^\n]+\n(\(Did you mean [^\n]+\n)?\(--help after the command shows[^\n]+\)\n$/,
      );
    }
  });

  it('shows no empty defaults of options', async () => {
    const { out } = await catalog.run(['get', '--help']);
    expect(out).toContain('--aspect <name>      only this aspect; may be repeated\n');
  });

  it('prints its help and exits with 0', async () => {
    const { exit, out } = await catalog.run(['--help']);
    expect(exit).toBe(0);
    expect(out).toContain('Exit codes: 0 done');
  });
});

it('with --json a failure is JSON on standard output, and the message stays on standard error', async () => {
  catalog.reply = () => rejection(403, 'not yours');
  const commands = [
    ['get', 'urn:li:tag:a'],
    ['search', 'a'],
    ['sizes'],
    ['audit'],
    ['token', 'list'],
    ['tasks', 'list'],
    ['load', '/nowhere.json'],
    ['show', 'urn:li:tag:a', '--no-such-option'],
  ];
  for (const command of commands) {
    const { exit, out, err } = await catalog.run([...command, '--json']);
    expect([command, exit]).not.toEqual([command, 0]);
    expect([command, JSON.parse(out)]).toEqual([command, { error: err.trim(), exitCode: exit }]);
  }
});
