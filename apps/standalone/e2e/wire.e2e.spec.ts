import { beforeAll, describe, expect, it } from '@jest/globals';
import { at, bodyOf } from './testing/catalog-client';
import { catalogForSuite } from './testing/suite-catalog';

const half = (urn: string): string =>
  encodeURIComponent(urn).replaceAll('%28', '(').replaceAll('%29', ')').replaceAll('%2C', ',');

describe('the wire', () => {
  const catalog = catalogForSuite();

  describe.each(['', '/gms', '/api/gms', '//', '/api//gms'])('under the prefix "%s"', (prefix) => {
    it('serves every route', async () => {
      const urn = `urn:li:tag:prefix${prefix.replaceAll('/', '-')}`;
      const body = bodyOf({ urn, aspectName: 'tagProperties', value: { name: 'x' } });
      const answers = [
        await catalog.http.post(`${prefix}/aspects?action=ingestProposal`, body),
        await catalog.http.post(`${prefix}/aspects/?action=ingestProposal`, body),
        await catalog.http.get(`${prefix}/entitiesV2/${encodeURIComponent(urn)}?aspects=List(tagProperties)`),
        await catalog.http.get(`${prefix}/aspects/${urn}?aspect=tagProperties&version=0`),
        await catalog.http.post(
          `${prefix}/entities?action=search`,
          '{"input":"*","entity":"tag","start":0,"count":1}',
        ),
        await catalog.http.get(`${prefix}/health`),
        await catalog.http.get(`${prefix}/config`),
      ];
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    });
  });

  it.each([
    ['no content type', {}],
    ['JSON', { 'Content-Type': 'application/json' }],
    ['a form, as curl --data sends', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['plain text', { 'Content-Type': 'text/plain; charset=iso-8859-1' }],
    ['a type that is none', { 'Content-Type': 'nonsense' }],
    ['an Accept header of its own', { Accept: 'text/html' }],
  ])('reads a body as JSON with %s', async (name, headers) => {
    const urn = `urn:li:tag:content-${name.length}`;
    const written = await catalog.http.ingest({
      urn,
      aspectName: 'tagProperties',
      value: { name: 'größer 日本' },
      headers,
    });
    expect([written.status, written.headers['content-type']]).toEqual([200, 'application/json']);
    const { json } = await catalog.http.aspect(urn, 'tagProperties');
    expect(json).toEqual({
      version: 0,
      aspect: { 'com.linkedin.tag.TagProperties': { name: 'größer 日本' } },
    });
  });

  it('ignores the content type of a request without body', async () => {
    const answer = await catalog.http.get('/entitiesV2/urn:li:tag:none', {
      'Content-Type': 'application/json',
      'Content-Length': '0',
      Upgrade: 'h2c',
    });
    expect(answer.status).toBe(200);
  });

  describe.each([
    ['slashes', 'urn:li:dataset:(urn:li:dataPlatform:s3,data/raw//2024/a,PROD)'],
    ['a percent sign', 'urn:li:dataset:(urn:li:dataPlatform:s3,100%,PROD)'],
    ['what looks encoded', 'urn:li:dataset:(urn:li:dataPlatform:s3,a%2Cb%2F%25c,PROD)'],
    ['parentheses and commas', 'urn:li:dataset:(urn:li:dataPlatform:s3,f(a,b),PROD)'],
    ['colons', 'urn:li:dataset:(urn:li:dataPlatform:s3,s3://x:y:z,PROD)'],
    ['blanks and a plus', 'urn:li:dataset:(urn:li:dataPlatform:s3,my table + x,PROD)'],
    ['Unicode', 'urn:li:dataset:(urn:li:dataPlatform:s3,größe.日本語.😀,PROD)'],
    ['a question mark, a hash and quotes', 'urn:li:dataset:(urn:li:dataPlatform:s3,what?#a"b\'c,PROD)'],
    ['dots between slashes', 'urn:li:dataset:(urn:li:dataPlatform:s3,a/../b/./c,PROD)'],
    ['a comma in a plain id', 'urn:li:tag:one, two (three)'],
    ['a slash at its end', 'urn:li:tag:folder/'],
  ])('a urn with %s', (_name, urn) => {
    beforeAll(async () => {
      const named = await catalog.http.write(urn, 'status', { removed: false });
      await catalog.http.find('*', { count: 0, waitFor: named });
    });

    const spellings = (['fully encoded', 'half encoded', 'raw'] as const).map(
      (spelling) =>
        [
          spelling,
          { 'fully encoded': encodeURIComponent(urn), 'half encoded': half(urn), raw: urn }[spelling],
        ] as const,
    );

    // A bare question mark ends a path, and what looks encoded is decoded: raw spellings of such names do not exist.
    it.each(spellings.filter(([spelling]) => spelling !== 'raw' || !/\?|%[0-9A-F]{2}/.test(urn)))(
      'is read %s, decoded once',
      async (_spelling, path) => {
        const entity = await catalog.http.get(`/entitiesV2/${path}?aspects=List(status)`);
        expect([entity.status, at(entity.json, 'urn')]).toEqual([200, urn]);
        expect(at(entity.json, 'aspects', 'status', 'systemMetadata', 'version')).toBe('1');
        const aspect = await catalog.http.get(`/gms/aspects/${path}?aspect=status&version=1`);
        expect([aspect.status, at(aspect.json, 'version')]).toEqual([200, 1]);
      },
    );

    it('is not read when it is encoded twice', async () => {
      const twice = encodeURIComponent(encodeURIComponent(urn));
      expect((await catalog.http.get(`/aspects/${twice}?aspect=status&version=0`)).status).not.toBe(200);
    });

    it('is found by itself', async () => {
      const entity = urn.split(':')[2] ?? '';
      const input = `urn:"${urn.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
      expect((await catalog.http.find(input, { entity })).urns).toEqual([urn]);
    });
  });

  it('takes a urn with escapes as text, as the newest client writes it', async () => {
    const urn = 'urn:li:tag:日本';
    const answer = await catalog.http.ingest({
      urn: 'urn:li:tag:\\u65e5\\u672c',
      aspectName: 'status',
      value: { removed: false },
    });
    expect(answer.json).toEqual({ value: urn });
    expect((await catalog.http.aspect(urn, 'status')).status).toBe(200);
  });

  it('takes a urn with stray blanks around it', async () => {
    await catalog.http.write('urn:li:tag:blank', 'status', { removed: false });
    expect((await catalog.http.get('/aspects/urn:li:tag:blank%20%20?aspect=status')).status).toBe(200);
  });

  it.each([
    ['List(a,b)', '?aspects=List(status,tagProperties)', ['status', 'tagKey', 'tagProperties']],
    ['an encoded List', '?aspects=List%28status%2CtagProperties%29', ['status', 'tagKey', 'tagProperties']],
    ['one plain name', '?aspects=status', ['status', 'tagKey']],
    ['repeated names', '?aspects=status&aspects=tagProperties', ['status', 'tagKey', 'tagProperties']],
    ['an empty list', '?aspects=List()', ['status', 'tagKey', 'tagProperties']],
    ['the key aspect', '?aspects=List(tagKey)', ['tagKey']],
    ['names that nobody has', '?aspects=List(nothing,datasetProfile,a%00b)', ['tagKey']],
    ['no list', '', ['status', 'tagKey', 'tagProperties']],
  ])('reads the aspects of %s', async (_name, query, names) => {
    const urn = 'urn:li:tag:listed';
    await catalog.http.write(urn, 'tagProperties', { name: 'listed' });
    await catalog.http.write(urn, 'status', { removed: false });
    const { status, json } = await catalog.http.entity(urn, query);
    expect(status).toBe(200);
    expect(Object.keys(at(json, 'aspects') as object).sort()).toEqual(names);
  });

  it('answers an unknown urn with its key aspect alone', async () => {
    const before = Date.now();
    const answer = await catalog.http.entity('urn:li:chart:(looker,nobody)');
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        urn: 'urn:li:chart:(looker,nobody)',
        entityName: 'chart',
        aspects: {
          chartKey: {
            name: 'chartKey',
            type: 'VERSIONED',
            version: 0,
            value: { chartId: 'nobody', dashboardTool: 'looker' },
            created: { time: expect.any(Number), actor: 'urn:li:corpuser:__datahub_system' },
          },
        },
      },
    ]);
    expect(at(answer.json, 'aspects', 'chartKey', 'created', 'time')).toBeGreaterThanOrEqual(before);
    expect((await catalog.http.aspect('urn:li:chart:(looker,nobody)', 'chartKey')).status).toBe(404);
  });

  it('says with each answer which protocol it speaks', async () => {
    for (const [sent, answered] of [
      [{}, '2.0.0'],
      [{ 'x-restli-protocol-version': '1.0.0' }, '1.0.0'],
      [{ 'X-RestLi-Protocol-Version': '2.0.0' }, '2.0.0'],
    ] as const) {
      const answer = await catalog.http.get('/entitiesV2/urn:li:tag:x', sent);
      expect(answer.headers['x-restli-protocol-version']).toBe(answered);
    }
  });
});
