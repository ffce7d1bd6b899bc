import { describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

describe('a batch of proposals', () => {
  const catalog = catalogForSuite();
  const tag = (name: string, more: JsonOutputObject = {}): JsonOutputObject => ({
    entityType: 'tag',
    entityUrn: `urn:li:tag:${name}`,
    changeType: 'UPSERT',
    aspectName: 'tagProperties',
    aspect: { value: stringifyJson({ name }), contentType: 'application/json' },
    ...more,
  });
  const send = (proposals: readonly JsonOutputObject[], parameters: JsonOutputObject = {}): Promise<Answer> =>
    catalog.http.post('/aspects?action=ingestProposalBatch', stringifyJson({ proposals, ...parameters }));
  const isThere = async (name: string) =>
    (await catalog.http.aspect(`urn:li:tag:${name}`, 'tagProperties')).status === 200;
  const toRejection = ({ status, json }: Answer) => [status, at(json, 'message')];

  it('is written as a whole, over many entities, and can be read and searched at once', async () => {
    const names = Array.from({ length: 300 }, (_, n) => `many-${String(n)}`);
    const answer = await send(names.map((name) => tag(name)));
    expect([answer.status, answer.json]).toEqual([200, { value: 'success' }]);
    expect(await isThere('many-299')).toBe(true);
    const waitFor = answer.headers['x-stratalog-position'];
    expect((await catalog.http.find('*', { entity: 'tag', count: 0, waitFor })).total).toBe(300);
  });

  it('takes 12 MB in one body', async () => {
    const description = 'x'.repeat(40_000);
    const proposals = Array.from({ length: 300 }, (_, n) =>
      tag('large', { aspect: { value: stringifyJson({ name: String(n), description }) } }),
    );
    expect((await send(proposals)).status).toBe(200);
    expect(
      at(
        (await catalog.http.entity('urn:li:tag:large')).json,
        'aspects',
        'tagProperties',
        'systemMetadata',
        'version',
      ),
    ).toBe('300');
  });

  it.each<[string, JsonOutputObject, number, string]>([
    [
      'does not fit the model',
      { aspect: { value: '{"name":7}' } },
      422,
      '/proposals/1 :: Failed to validate record',
    ],
    ['has an unknown aspect', { aspectName: 'nothing' }, 422, '/proposals/1 :: Unknown aspect nothing'],
    ['has an unknown type', { entityType: 'nothing' }, 400, '/proposals/1 :: Failed to find entity'],
    ['has no urn', { entityUrn: null }, 400, "error '/proposals/1/entityUrn :: is required'"],
    [
      'is in another form',
      { aspect: { value: '{}', contentType: 'x/y' } },
      422,
      '/proposals/1 :: proposal.aspect',
    ],
    [
      'asks for a version',
      { headers: { 'If-Version-Match': '7' } },
      422,
      '/proposals/1 :: Expected version 7',
    ],
  ])('is rejected as a whole when one of it %s', async (what, members, status, message) => {
    const name = what.replaceAll(' ', '-');
    const answer = await send([tag(`${name}-a`), tag(`${name}-b`, members), tag(`${name}-c`)]);
    expect([answer.status, at(answer.json, 'message')]).toEqual([status, expect.stringContaining(message)]);
    for (const each of ['a', 'b', 'c']) expect(await isThere(`${name}-${each}`)).toBe(false);
  });

  it('is applied in order, each seeing those before it', async () => {
    const urn = 'urn:li:tag:ordered';
    const headers = { 'If-Version-Match': '1' };
    const second = { aspect: { value: '{"name":"second"}' }, headers };
    expect((await send([tag('ordered'), tag('ordered', second)])).status).toBe(200);
    const { json } = await catalog.http.entity(urn);
    expect(at(json, 'aspects', 'tagProperties', 'value', 'name')).toBe('second');
  });

  it('creates an entity with several aspects, and its own beat the default ones', async () => {
    const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,batched,PROD)';
    const of = (aspectName: string, value: JsonOutputObject) => ({
      entityType: 'dataset',
      entityUrn: urn,
      changeType: 'CREATE_ENTITY',
      aspectName,
      aspect: { value: stringifyJson(value) },
    });
    const proposals = [of('status', { removed: false }), of('browsePaths', { paths: ['/mine'] })];
    expect((await send(proposals)).status).toBe(200);
    const paths = at((await catalog.http.entity(urn)).json, 'aspects', 'browsePaths');
    expect(paths).toMatchObject({ value: { paths: ['/mine'] }, systemMetadata: { version: '1' } });
    expect(toRejection(await send(proposals))).toEqual([
      422,
      expect.stringContaining('/proposals/0 :: Cannot CREATE_ENTITY'),
    ]);
  });

  it('a batch of proposals that is asynchronous is accepted, and only the bad one is left out', async () => {
    const names = ['async-a', 'async-b', 'async-c'];
    const bad = tag('async-bad', { aspect: { value: '{"name":7}' } });
    const answer = await send([...names.map((name) => tag(name)), bad, tag('async-d')], { async: 'true' });
    expect([answer.status, answer.json]).toEqual([200, { value: 'success' }]);
    for (const name of [...names, 'async-d']) await until(() => isThere(name));
    expect(await isThere('async-bad')).toBe(false);
  });

  it('may be empty, and must be a list of objects', async () => {
    expect((await send([])).json).toEqual({ value: 'success' });
    expect(toRejection(await catalog.http.post('/aspects?action=ingestProposalBatch', '{}'))).toEqual([
      400,
      "Parameter 'proposals' is required",
    ]);
    const wrong = await catalog.http.post('/aspects?action=ingestProposalBatch', '{"proposals":[7]}');
    expect(toRejection(wrong)).toEqual([400, expect.stringContaining('/proposals/0 :: is not an object')]);
  });
});
