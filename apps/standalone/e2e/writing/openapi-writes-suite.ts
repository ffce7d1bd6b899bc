import { expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutput, type JsonValue } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const tagOf = (name: string): string => `urn:li:tag:${name}`;
const properties = (name: string) => ({ tagProperties: { value: { name } } });
const OPERATOR = 'the-token-of-the-operator';

/** The writes of OpenAPI clients, on a catalog with these settings. */
export function openApiWritesSuite(environment: Readonly<Record<string, string>>): void {
  const catalog = catalogForSuite({ environment: { ...environment, STRATALOG_TOKEN: OPERATOR } });
  const send = (method: string, target: string, body?: JsonOutput): Promise<Answer> =>
    catalog.http.send({
      method,
      target: `/openapi/v3/entity/${target}`,
      headers: { Authorization: `Bearer ${OPERATOR}` },
      ...(body === undefined ? {} : { body: stringifyJson(body) }),
    });
  const write = (body: JsonOutput, query = '?async=false', type = 'tag') =>
    send('POST', `${type}${query}`, body);
  const patch = (body: JsonOutput, query = '?async=false', type = 'tag') =>
    send('PATCH', `${type}${query}`, body);
  const stored = async (urn: string, aspect = 'tagProperties'): Promise<JsonValue | undefined> =>
    at((await catalog.http.entity(urn)).json, 'aspects', aspect, 'value');
  const toMessage = (answer: Answer) => [answer.status, at(answer.json, 'message')];
  const exists = async (urn: string) =>
    (await catalog.http.send({ method: 'HEAD', target: `/openapi/v3/entity/tag/${urn}` })).status === 200;

  it('writes aspects of several entities together, and answers what was sent', async () => {
    const systemMetadata = { runId: 'night', lastObserved: 7, properties: { team: 'shop' } };
    const answer = await write(
      [
        { urn: tagOf('a'), tagProperties: { value: { name: 'a' }, systemMetadata, headers: {} } },
        { urn: tagOf('b'), ...properties('b'), status: { value: { removed: false }, systemMetadata: null } },
        { urn: tagOf('a'), status: { value: { removed: false } }, ownership: null },
      ],
      '?async=false&systemMetadata=true',
    );
    expect([answer.status, answer.json]).toEqual([
      200,
      [
        {
          urn: tagOf('a'),
          tagProperties: {
            value: { name: 'a' },
            systemMetadata: {
              ...systemMetadata,
              properties: { team: 'shop', telemetryTraceId: expect.any(String) },
            },
          },
          status: { value: { removed: false }, systemMetadata: expect.any(Object) },
        },
        {
          urn: tagOf('b'),
          tagProperties: { value: { name: 'b' }, systemMetadata: expect.any(Object) },
          status: { value: { removed: false }, systemMetadata: expect.any(Object) },
        },
      ],
    ]);
    expect(answer.headers['x-stratalog-position']).toEqual(expect.any(String));
    expect([await stored(tagOf('a')), await stored(tagOf('b'), 'status')]).toEqual([
      { name: 'a' },
      { removed: false },
    ]);
    const { json } = await catalog.http.entity(tagOf('a'));
    expect(at(json, 'aspects', 'tagProperties', 'systemMetadata')).toMatchObject(systemMetadata);
  });

  it('writes in the background unless the caller waits', async () => {
    for (const [name, query] of [
      ['absent', ''],
      ['true', '?async=true'],
    ] as const) {
      const answer = await write([{ urn: tagOf(name), ...properties(name) }], query);
      expect([answer.status, answer.json]).toEqual([202, [{ urn: tagOf(name), ...properties(name) }]]);
      expect(answer.headers['x-stratalog-position']).toBeUndefined();
      await until(async () => at(await stored(tagOf(name)), 'name') === name);
    }
  });

  it('checks the conditions of each aspect', async () => {
    const urn = tagOf('guarded');
    const guarded = (name: string, headers: Record<string, string>) =>
      write([{ urn, tagProperties: { value: { name }, headers } }]);
    expect((await guarded('one', { 'If-Version-Match': '-1' })).status).toBe(200);
    expect((await guarded('two', { 'if-version-match': '1' })).status).toBe(200);
    const reason = `Expected version 1, actual version 2 of aspect tagProperties of ${urn}`;
    expect(toMessage(await guarded('three', { 'If-Version-Match': '1' }))).toEqual([422, reason]);
    expect(
      toMessage(
        await write([
          { urn: tagOf('other'), ...properties('other') },
          { urn, tagProperties: { value: { name: 'four' }, headers: { 'If-Version-Match': '1' } } },
        ]),
      ),
    ).toEqual([422, `/1/tagProperties :: ${reason}`]);
    expect(toMessage(await guarded('five', { 'If-Unmodified-Since': 'yesterday' }))).toEqual([
      400,
      expect.stringContaining(
        '/entities/0/tagProperties/headers/If-Unmodified-Since :: "yesterday" is not a time',
      ),
    ]);
    expect((await guarded('six', { 'If-None-Match': '*' })).status).toBe(200);
    expect([await stored(urn), await exists(tagOf('other'))]).toEqual([{ name: 'two' }, false]);
    const create = { value: { name: 'new' }, headers: { 'if-none-match': '*' } };
    expect((await write([{ urn: tagOf('new'), tagProperties: create }])).status).toBe(200);
    expect(await stored(tagOf('new'))).toEqual({ name: 'new' });
  });

  it('patches by keys, nested ones too', async () => {
    const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.patched,PROD)';
    const add = (tag: string) => ({
      urn,
      globalTags: {
        value: {
          arrayPrimaryKeys: { tags: ['attribution␟source', 'tag'] },
          patch: [{ op: 'add', path: `/tags//${tagOf(tag)}`, value: { tag: tagOf(tag) } }],
        },
        systemMetadata: null,
        headers: {},
      },
    });
    const answer = await patch([add('x')], '?async=false', 'dataset');
    expect([answer.status, answer.json]).toEqual([200, [{ urn, globalTags: {} }]]);
    expect((await patch([add('y'), add('x')], '?async=false', 'dataset')).status).toBe(200);
    expect(await stored(urn, 'globalTags')).toEqual({ tags: [{ tag: tagOf('x') }, { tag: tagOf('y') }] });
    const wrong = { urn, globalTags: { value: { patch: [{ op: 'frobnicate', path: '/tags/0' }] } } };
    expect((await patch([add('z'), wrong], '?async=false', 'dataset')).status).toBe(422);
    expect(await stored(urn, 'globalTags')).toEqual({ tags: [{ tag: tagOf('x') }, { tag: tagOf('y') }] });
  });

  it('deletes aspects, all aspects but the key, and entities', async () => {
    const urn = tagOf('doomed/with a slash');
    await write([{ urn, ...properties('doomed'), status: { value: { removed: false } } }]);
    const path = `tag/${urn.replaceAll(' ', '%20')}`;
    expect(await send('DELETE', `${path}?aspects=tagProperties`, [])).toMatchObject({
      status: 200,
      body: '',
    });
    expect([await stored(urn), await stored(urn, 'status')]).toEqual([undefined, { removed: false }]);
    expect((await send('DELETE', `${path}?clear=true`)).status).toBe(200);
    expect([await stored(urn, 'status'), await exists(path.slice(4))]).toEqual([undefined, true]);
    const answer = await send('DELETE', path, []);
    expect([answer.status, await exists(path.slice(4))]).toEqual([200, false]);
    expect(answer.headers['x-stratalog-position']).toEqual(expect.any(String));
    expect((await send('DELETE', path, [])).status).toBe(200);
  });

  it.each<readonly [string, JsonOutput, number, string]>([
    ['no object', [7], 400, '/entities/0 :: is not an object'],
    ['no urn', [{ tagProperties: { value: {} } }], 400, '/entities/0/urn :: is required'],
    ['no text as urn', [{ urn: 7 }], 400, '/entities/0/urn :: is not a string'],
    ['no aspect', [{ urn: tagOf('x'), status: 7 }], 400, '/entities/0/status :: is not an object'],
    ['no value', [{ urn: tagOf('x'), status: {} }], 400, '/entities/0/status/value :: is required'],
    [
      'a list as value',
      [{ urn: tagOf('x'), status: { value: [] } }],
      400,
      '/status/value :: is not an object',
    ],
    [
      'wrong metadata',
      [{ urn: tagOf('x'), status: { value: {}, systemMetadata: { runId: 7 } } }],
      400,
      '/entities/0/status/systemMetadata/runId',
    ],
    ['an unknown aspect', [{ urn: tagOf('x'), statuss: { value: {} } }], 422, 'statuss'],
    ['an urn of another type', [{ urn: 'urn:li:domain:x', status: { value: {} } }], 422, 'domain != tag'],
    [
      'a wrong field among several',
      [
        { urn: tagOf('x'), ...properties('x') },
        { urn: tagOf('y'), status: { value: { removed: 'no' } } },
      ],
      422,
      '/1/status :: ',
    ],
  ])('rejects %s, and changes nothing', async (_what, body, status, message) => {
    const before = await catalog.deps.store.readPartitionSequences();
    expect(toMessage(await write(body))).toEqual([status, expect.stringContaining(message)]);
    expect(await catalog.deps.store.readPartitionSequences()).toEqual(before);
  });

  it('rejects an unknown entity type, and contradicting deletions', async () => {
    expect(toMessage(await write([{ urn: tagOf('x'), ...properties('x') }], '?async=false', 'tagg'))).toEqual(
      [400, expect.stringContaining('tagg')],
    );
    expect(toMessage(await send('DELETE', `tag/${tagOf('a')}?clear=true&aspects=status`))).toEqual([
      400,
      expect.stringContaining("'aspects' and 'clear'"),
    ]);
    expect(toMessage(await send('DELETE', `tag/${tagOf('a')}?aspects=statuss`))).toEqual([
      422,
      expect.stringContaining('statuss'),
    ]);
    expect(toMessage(await send('DELETE', `domain/${tagOf('a')}`))).toEqual([
      422,
      expect.stringContaining('tag != domain'),
    ]);
  });

  it('warns of fields that the model lacks, and rejects them when the call is strict', async () => {
    const body = [{ urn: tagOf('w'), tagProperties: { value: { name: 'w', nmae: 'w' } } }];
    const warned = await write(body);
    expect([warned.status, warned.headers['x-stratalog-warnings']]).toEqual([
      200,
      expect.stringContaining('nmae'),
    ]);
    const strict = await catalog.http.post('/openapi/v3/entity/tag?async=false', stringifyJson(body), {
      'X-Stratalog-Strict': 'true',
    });
    expect(strict.status).toBe(422);
  });

  it('warns of members and headers of an aspect that mean nothing', async () => {
    const urn = tagOf('misspelt');
    const headers = { 'If-Version-Mach': '1', 'X-DataHub-Sync-Index-Updat': 'true', 'X-Other': 'x' };
    const aspect = { value: { name: 'w' }, systemMetdata: { runId: 'x' }, headers };
    const { status, headers: answered } = await write([
      { urn: tagOf('first') },
      { urn, tagProperties: aspect },
    ]);
    expect([status, JSON.parse(answered['x-stratalog-warnings'] ?? '[]')]).toEqual([
      200,
      [
        '/1/tagProperties/systemMetdata is unknown; did you mean systemMetadata?',
        '/1/tagProperties/headers/If-Version-Mach is unknown; did you mean If-Version-Match?',
        '/1/tagProperties/headers/X-DataHub-Sync-Index-Updat is unknown; did you mean X-DataHub-Sync-Index-Update?',
      ],
    ]);
    const strict = await catalog.http.post(
      '/openapi/v3/entity/tag?async=false',
      stringifyJson([{ urn, tagProperties: { value: { name: 'x' }, header: {} } }]),
      { 'X-Stratalog-Strict': 'true' },
    );
    expect([strict.status, at(strict.json, 'message')]).toEqual([
      422,
      expect.stringContaining('/0/tagProperties/header is unknown; did you mean headers?'),
    ]);
    expect(await stored(urn)).toEqual({ name: 'w' });
  });

  it('keeps what the background rejects as dead letters', async () => {
    const body = [
      { urn: tagOf('late-a'), ...properties('late-a') },
      { urn: tagOf('late-b'), status: { value: { removed: 'no' } } },
    ];
    expect((await write(body, '?async=true')).status).toBe(202);
    const dead = async () =>
      (await catalog.http.get('/operations/deadLetters?count=10', { Authorization: `Bearer ${OPERATOR}` }))
        .body;
    await until(async () => (await dead()).includes(tagOf('late-b')));
    expect(await stored(tagOf('late-a'))).toEqual({ name: 'late-a' });
  });
}
