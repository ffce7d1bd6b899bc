import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonOutputObject } from '@stratalog/model';
import { ScriptedCatalog, rejection } from './testing/scripted-catalog';

let catalog: ScriptedCatalog;

beforeEach(async () => {
  catalog = await ScriptedCatalog.start();
});

afterEach(async () => {
  await catalog.stop();
});

describe('get', () => {
  it('prints the entity, and encodes every character of the urn', async () => {
    const urn = "urn:li:dataset:(urn:li:dataPlatform:s3,a b/%(c)'é,PROD)";
    let path = '';
    catalog.reply = (request) => {
      path = request.url ?? '';
      return {
        status: 200,
        body: { urn, aspects: { status: { value: { removed: false } }, ownership: {} } },
      };
    };
    const { exit, out } = await catalog.run(['get', urn, '--aspect', 'status', '--aspect', 'ownership']);
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ aspects: { status: { value: { removed: false } } } });
    expect(path).toBe(
      '/entitiesV2/urn%3Ali%3Adataset%3A%28urn%3Ali%3AdataPlatform%3As3%2Ca%20b%2F%25%28c%29%27%C3%A9%2CPROD%29' +
        '?aspects=List(status,ownership)',
    );
  });

  it('distinguishes an unknown entity from one with only a key', async () => {
    let stored = false;
    catalog.reply = (request) => {
      if (request.url?.startsWith('/aspects/') === true) {
        return stored ? { status: 200, body: { version: 0 } } : rejection(404, 'no such row');
      }
      return { status: 200, body: { urn: 'u', aspects: { tagKey: { value: { name: 'u' } } } } };
    };
    expect(await catalog.run(['get', 'u'])).toEqual({ exit: 1, out: '', err: 'there is no entity u\n' });
    stored = true;
    expect((await catalog.run(['get', 'u'])).exit).toBe(0);
    const { exit, err } = await catalog.run(['get', 'u', '--aspect', 'ownership']);
    expect([exit, err]).toEqual([1, 'u has no ownership\n']);
  });

  it('shows no control characters', async () => {
    catalog.reply = () => rejection(400, 'no urn: \u001b[31m\n\u0090\u202e');
    expect(await catalog.run(['get', 'u'])).toEqual({
      exit: 1,
      out: '',
      err: 'no urn: \ufffd[31m \ufffd\ufffd\n',
    });
    const value = 'a\u001b\u007f\u0090\u202e';
    catalog.reply = () => ({ status: 200, body: { version: 0, value } });
    const { out } = await catalog.run(['get', 'u', '--aspect', 'status', '--version', '0']);
    expect(out).toMatch(/^[\n\x20-\x7e]+$/);
    expect(JSON.parse(out)).toMatchObject({ value });
    expect((await catalog.run(['no\u001bsense'])).err).toContain("'no\ufffdsense'");
  });

  it('prints one aspect at a version', async () => {
    catalog.reply = (request) =>
      request.url === '/aspects/u?aspect=status&version=2'
        ? { status: 200, body: { version: 2 } }
        : rejection(404, 'no such row');
    expect((await catalog.run(['get', 'u', '--aspect', 'status', '--version', '2'])).out).toBe(
      '{\n  "version": 2\n}\n',
    );
    expect((await catalog.run(['get', 'u', '--aspect', 'status', '--version', '3'])).err).toBe(
      'u has no version 3 of status\n',
    );
    expect((await catalog.run(['get', 'u', '--version', '3'])).exit).toBe(2);
  });
});

describe('search', () => {
  it('searches each type in turn and prints those with hits', async () => {
    const asked: unknown[] = [];
    catalog.reply = (_request, body) => {
      const query = JSON.parse(body) as { entity: string };
      asked.push(query);
      const entities = query.entity === 'tag' ? ['urn:li:tag:a'] : [];
      return { status: 200, body: { value: { numEntities: entities.length, entities } } };
    };
    const { exit, out } = await catalog.run([
      'search',
      'a b',
      '--entity',
      'chart',
      '--entity',
      'tag',
      '--count',
      '3',
    ]);
    expect([exit, out]).toEqual([0, 'tag: 1 found, 1 to 1\n  urn:li:tag:a\n']);
    expect(asked).toEqual([
      { entity: 'chart', input: 'a b', start: 0, count: 3 },
      { entity: 'tag', input: 'a b', start: 0, count: 3 },
    ]);
  });

  it('reports no hits and exits with 1', async () => {
    catalog.reply = () => ({ status: 200, body: { value: { numEntities: 0, entities: [] } } });
    expect(await catalog.run(['search', 'x'])).toEqual({
      exit: 1,
      out: '',
      err: 'nothing found among dataset\n',
    });
  });
});

describe('browse', () => {
  it('prints folders and entities as a tree', async () => {
    const asked: unknown[] = [];
    catalog.reply = (_request, body) => {
      const { path } = JSON.parse(body) as { path: string };
      asked.push(JSON.parse(body));
      const value =
        path === '/prod'
          ? {
              groups: [{ name: 'hive', count: 3 }],
              entities: [{ name: 'top', urn: 'urn:li:x:top' }],
              numElements: 5,
            }
          : { groups: [], entities: [{ name: 'orders', urn: 'urn:li:x:orders' }], numElements: 1 };
      return { status: 200, body: { value } };
    };
    const { exit, out } = await catalog.run(['browse', '/prod', '--entity', 'x', '--count', '2']);
    expect([exit, out.split('\n')]).toEqual([
      0,
      ['hive/         3', '  orders      urn:li:x:orders', 'top           urn:li:x:top', '… and 3 more', ''],
    ]);
    expect(asked).toEqual([
      { path: '/prod', entity: 'x', start: 0, limit: 2 },
      { path: '/prod/hive', entity: 'x', start: 0, limit: 2 },
    ]);
    const json = await catalog.run(['browse', '/prod', '--json']);
    const orders = { groups: [], entities: [{ name: 'orders', urn: 'urn:li:x:orders' }], more: 0 };
    expect([json.exit, JSON.parse(json.out)]).toEqual([
      0,
      {
        groups: [{ name: 'hive', count: 3, inner: orders }],
        entities: [{ name: 'top', urn: 'urn:li:x:top' }],
        more: 3,
      },
    ]);
  });

  it('reports an empty path and exits with 1', async () => {
    catalog.reply = () => ({ status: 200, body: { value: { groups: [], entities: [], numElements: 0 } } });
    expect(await catalog.run(['browse', '/nowhere'])).toEqual({
      exit: 1,
      out: '',
      err: 'nothing at /nowhere for dataset\n',
    });
  });
});

describe('lineage', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => `urn:li:x:${name}`) as [
    string,
    string,
    string,
    string,
  ];
  const hop = (path: readonly string[], more = {}) => ({
    entity: path.at(-1),
    type: 'DownstreamOf',
    path,
    ...more,
  });

  it('prints each entity below the one that leads to it, and what is missing', async () => {
    const asked: unknown[] = [];
    catalog.reply = (_request, body) => {
      asked.push(JSON.parse(body));
      const relationships = [hop([a, b]), hop([a, c], { via: 'urn:li:query:q' }), hop([a, b, d])];
      return { status: 200, body: { value: { relationships, total: 5, filtered: 2, continueAt: [d] } } };
    };
    const { exit, out, err } = await catalog.run(['lineage', a, '--downstream', '--depth', '2', '--columns']);
    expect([exit, out.split('\n').map((line) => line.trimEnd())]).toEqual([
      0,
      [
        a,
        `  ${b}    DownstreamOf`,
        `    ${d}  DownstreamOf`,
        `  ${c}    DownstreamOf  via urn:li:query:q`,
        '… and 2 more',
        '',
      ],
    ]);
    expect(err).toBe(
      `2 left out as soft-deleted, or only reached through such; --deleted shows them\nlimits cut the lineage; continue at ${d}\n`,
    );
    expect(asked).toEqual([{ urn: a, direction: 'DOWNSTREAM', maxHops: 2, count: 1_000, level: 'COLUMN' }]);
  });

  it('draws lineage into a file', async () => {
    const asked: (string | undefined)[] = [];
    catalog.reply = ({ url }) => {
      asked.push(url);
      return { status: 200, body: '<svg/>' };
    };
    const file = join(catalog.folder, 'a.svg');
    const { exit, out, err } = await catalog.run(['lineage', a, '--svg', file, '--columns', '--count', '20']);
    expect([exit, out, err, JSON.parse(readFileSync(file, 'utf8'))]).toEqual([
      0,
      '',
      `wrote ${file}\n`,
      '<svg/>',
    ]);
    await catalog.run(['lineage', a, '--svg', file, '--upstream', '--depth', '5', '--deleted']);
    expect(asked).toEqual([
      `/lineage/${encodeURIComponent(a)}.svg?maxHops=3&maxNodes=20&columns=true`,
      `/lineage/${encodeURIComponent(a)}.svg?maxHops=5&direction=UPSTREAM&includeSoftDeleted=true`,
    ]);
    expect(await catalog.run(['lineage', a, '--svg', join(catalog.folder, 'no', 'such')])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('cannot write'),
    });
    expect(await catalog.run(['lineage', a, '--svg', file, '--json'])).toMatchObject({ exit: 2 });
  });

  it('prints lineage as of a time, with what was purged of it', async () => {
    const asked: unknown[] = [];
    catalog.reply = (_request, body) => {
      asked.push(JSON.parse(body));
      return {
        status: 200,
        body: { value: { relationships: [hop([a, b])], total: 1, purged: { total: 2, entities: [c, d] } } },
      };
    };
    const { exit, err } = await catalog.run(['lineage', a, '--as-of', '2026-11-22']);
    expect([exit, err]).toEqual([0, 'retention purged the lineage of 2 entities at that time\n']);
    expect(asked).toEqual([
      { urn: a, direction: 'UPSTREAM', maxHops: 3, count: 1_000, asOf: Date.UTC(2026, 10, 22) },
    ]);
    expect(await catalog.run(['lineage', a, '--as-of', 'once'])).toMatchObject({ exit: 2 });
  });

  it('prints what came and went between two times', async () => {
    const asked: (string | undefined)[] = [];
    const changedBy = {
      entity: b,
      aspectName: 'upstreamLineage',
      version: 2,
      time: Date.UTC(2026, 10, 3),
      actor: 'urn:li:corpuser:ada',
    };
    const none = { added: 0, removed: 0, changes: [] };
    let body: JsonOutputObject = {
      entities: {
        added: 1,
        removed: 1,
        changes: [
          { change: 'removed', direction: 'UPSTREAM', entity: c, degree: 1 },
          { change: 'added', direction: 'UPSTREAM', entity: d, degree: 2 },
        ],
      },
      edges: {
        added: 3,
        removed: 0,
        changes: [{ change: 'added', upstream: a, downstream: b, type: 'DownstreamOf', changedBy }],
      },
      columns: none,
      columnEdges: none,
      partial: true,
    };
    catalog.reply = ({ url }) => {
      asked.push(url);
      return { status: 200, body };
    };
    const compare = (...more: readonly string[]) => catalog.run(['lineage', a, '--diff', ...more]);
    const { exit, out, err } = await compare('2026-11-01..2026-11-08', '--columns', '--upstream');
    expect([exit, out.split('\n').map((line) => line.trimEnd()), err]).toEqual([
      0,
      [
        'entities: 1 added, 1 removed',
        `-  ${c}  upstream  1 hop`,
        `+  ${d}  upstream  2 hops`,
        '',
        'edges: 3 added, 0 removed',
        `+  ${a} -> ${b}  DownstreamOf  upstreamLineage version 2 2026-11-03T00:00:00.000Z urn:li:corpuser:ada`,
        '…  and 2 more',
        '',
      ],
      'limits cut the lineage; there may be more changes\n',
    ]);
    body = { entities: none, edges: none };
    expect(await compare('2026-11-01')).toEqual({
      exit: 0,
      out: '',
      err: `${a} has the same lineage at both times\n`,
    });
    const [from, to] = [Date.UTC(2026, 10, 1), Date.UTC(2026, 10, 8)].map(String);
    expect(asked).toEqual([
      `/lineage/${encodeURIComponent(a)}/diff?from=${from}&to=${to}&maxHops=3&count=1000&direction=UPSTREAM&columns=true`,
      `/lineage/${encodeURIComponent(a)}/diff?from=${from}&maxHops=3&count=1000`,
    ]);
    expect(await compare('2026-11-01..then')).toMatchObject({ exit: 2 });
    expect(await compare('2026-11-01', '--as-of', '2026-11-01')).toMatchObject({ exit: 2 });
  });

  it('reports no lineage and exits with 1, and rejects both directions at once', async () => {
    catalog.reply = () => ({ status: 200, body: { value: { relationships: [], total: 0 } } });
    expect(await catalog.run(['lineage', a])).toEqual({
      exit: 1,
      out: '',
      err: `${a} has no upstream lineage\n`,
    });
    expect(await catalog.run(['lineage', a, '--upstream', '--downstream'])).toMatchObject({ exit: 2 });
  });
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
          return { status: 503, body: { status: 'starting', stages } };
        case '/config':
          return { status: 200, body: { versions: { 'x/y': { version: '0.1.0' } } } };
        default:
          return { status: 200, headers: { 'X-Stratalog-Lag': '7' } };
      }
    };
    const { exit, out } = await catalog.run(['status']);
    expect(exit).toBe(1);
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['server', catalog.url],
      ['version', '0.1.0'],
      ['ready', 'no (HTTP status 503)'],
      ['status', 'starting'],
      ['stages.writer.state', 'running'],
      ['stages.indexer.state', 'starting'],
      ['stages.indexer.reason', 'new'],
      ['index', '7 changes behind'],
      [''],
    ]);
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
