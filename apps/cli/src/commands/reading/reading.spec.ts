import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedCatalog, rejection } from '../../testing/scripted-catalog';
import { searchAnswer } from '../../testing/search-answer';

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
  it('searches all types, or those that are named, and reads what people recognize the hits by', async () => {
    const asked: unknown[] = [];
    catalog.reply = (request, body) => {
      if (request.method === 'GET') {
        const aspects = { tagProperties: { value: { name: 'Gold', description: 'Certified' } } };
        return { status: 200, body: { results: { 'urn:li:tag:a': { aspects } } } };
      }
      asked.push(JSON.parse(body));
      return { status: 200, body: { value: searchAnswer(['urn:li:tag:a']) } };
    };
    const hit = '  Gold  tag  Certified\n    urn:li:tag:a\n';
    expect(await catalog.run(['search', 'a b'])).toEqual({
      exit: 0,
      out: `1 found, 1 to 1\n${hit}`,
      err: '',
    });
    const types = ['--entity', 'chart', '--entity', 'tag'];
    const { out } = await catalog.run(['search', 'a b', ...types, '--count', '3']);
    expect(out).toBe(`chart, tag: 1 found, 1 to 1\n${hit}`);
    const searchFlags = { correctSpelling: true };
    expect(asked).toEqual([
      { input: 'a b', start: 0, count: 10, searchFlags },
      { input: 'a b', start: 0, count: 3, entities: ['chart', 'tag'], searchFlags },
    ]);
  });

  it('reports no hits and exits with 1', async () => {
    catalog.reply = () => ({ status: 200, body: { value: searchAnswer([]) } });
    expect(await catalog.run(['search', 'x'])).toEqual({
      exit: 1,
      out: '',
      err: 'nothing found among all entity types\n',
    });
  });
});

describe('show', () => {
  const tag = {
    aspects: {
      tagKey: { value: { name: 'a' } },
      tagProperties: { value: { name: 'Gold', description: 'Certified\ndata' } },
    },
  };
  const replyWith = (hits: readonly string[]): void => {
    catalog.reply = (request) => {
      if (request.method === 'POST') return { status: 200, body: { value: searchAnswer([...hits]) } };
      const results = Object.fromEntries(hits.map((urn) => [urn, tag]));
      return { status: 200, body: request.url?.includes('ids=') === true ? { results } : tag };
    };
  };

  it('prints the entity of a name', async () => {
    replyWith(['urn:li:tag:a']);
    const { exit, out } = await catalog.run(['show', 'gold']);
    expect([exit, out]).toEqual([
      0,
      'Gold\ntag\nurn:li:tag:a\n\nCertified\ndata\n\ntagProperties\n  name: Gold\n  description: Certified data\n',
    ]);
  });

  it('lists the entities when several have the name', async () => {
    replyWith(['urn:li:tag:a', 'urn:li:tag:b']);
    expect(await catalog.run(['show', 'gold'])).toEqual({
      exit: 1,
      out: '',
      err: 'several entities may be gold; name one by its urn: urn:li:tag:a, urn:li:tag:b\n',
    });
  });

  it('says that nothing has the name', async () => {
    replyWith([]);
    expect(await catalog.run(['show', 'gold'])).toMatchObject({
      exit: 1,
      err: expect.stringContaining('nothing is called gold'),
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
