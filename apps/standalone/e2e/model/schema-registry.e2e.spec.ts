import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PROPOSAL_SCHEMA } from '@stratalog/avro';
import { Site, type BootedCatalog } from '../testing/catalog/booted-catalog';
import type { Answer } from '../testing/catalog/raw-http';

interface RecordSchema {
  readonly fields: { readonly name: string; readonly type: unknown }[];
}
const SUBJECT = 'MetadataChangeProposal_v1-value';
const CONTENT_TYPE = 'application/vnd.schemaregistry.v1+json';
const PYTHON = { 'content-type': CONTENT_TYPE, accept: '*/*' };
const JAVA = {
  'content-type': CONTENT_TYPE,
  accept: 'text/html, image/gif, image/jpeg, */*; q=0.2',
  'cache-control': 'no-cache',
  pragma: 'no-cache',
};

/** Without the additions after 0.12.1. */
const OLDER = variant((fields) => fields.filter(({ name }) => name !== 'headers'));
/** With an addition of a later release. */
const NEWER = variant((fields) => [...fields, { name: 'trace', type: ['null', 'string'] }]);
const FOREIGN = JSON.stringify({
  type: 'record',
  name: 'MetadataChangeEvent',
  namespace: 'x.mxe',
  fields: [],
});
const UNREADABLE = variant((fields) => fields.filter(({ name }) => name !== 'changeType'));

function variant(edit: (fields: RecordSchema['fields']) => RecordSchema['fields']): string {
  const schema = JSON.parse(PROPOSAL_SCHEMA) as RecordSchema;
  return JSON.stringify({ ...schema, fields: edit(schema.fields) });
}

describe('the schema registry', () => {
  let site: Site;
  let catalog: BootedCatalog;
  const post = (path: string, body: unknown, headers: Record<string, string> = JAVA): Promise<Answer> =>
    catalog.http.post(`/schema-registry/api/${path}`, JSON.stringify(body), headers);
  const register = async (schema: string, subject = SUBJECT): Promise<number> => {
    const answer = await post(`subjects/${subject}/versions`, { schema });
    return (JSON.parse(answer.body) as { id: number }).id;
  };
  const get = async (path: string): Promise<unknown> => {
    const answer = await catalog.http.get(`/schema-registry/api/${path}`, { accept: CONTENT_TYPE });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, CONTENT_TYPE]);
    return JSON.parse(answer.body);
  };
  const rejection = ({ status, body, headers }: Answer): unknown => {
    expect(headers['content-type']).toBe(CONTENT_TYPE);
    return { status, ...(JSON.parse(body) as object) };
  };

  const boot = async (): Promise<void> => {
    site = await Site.create();
    catalog = await site.boot();
  };

  describe('of a new catalog', () => {
    beforeEach(boot);
    afterEach(() => site.remove());

    it('answers the calls of emitters as they send them', async () => {
      // Python's confluent-kafka 2.3 puts blanks and line ends into the text; 2.16 requests associations first.
      const spaced = JSON.stringify(JSON.parse(PROPOSAL_SCHEMA), undefined, 2);
      const normal = `subjects/${SUBJECT}/versions?normalize=False`;
      const old = await post(normal, { schema: spaced }, PYTHON);
      expect([old.status, old.headers['content-type']]).toEqual([200, CONTENT_TYPE]);
      expect(JSON.parse(old.body)).toEqual({ id: expect.any(Number) });
      const asked = await catalog.http.get(
        `/schema-registry/api/associations/resources/Mc7beVlqEGsaXf_QkIEx0A/MetadataChangeProposal_v1?resourceType=topic`,
      );
      expect(rejection(asked)).toEqual({ status: 404, error_code: 404, message: 'HTTP 404 Not Found' });
      const later = await post(normal, { schema: spaced, schemaType: 'AVRO', references: [] }, PYTHON);
      const java = await post(`subjects/${SUBJECT}/versions`, { schema: PROPOSAL_SCHEMA });
      expect([later.body, java.body]).toEqual([old.body, old.body]);
    });

    it('is served with and without prefixes and doubled slashes', async () => {
      const id = await register(PROPOSAL_SCHEMA);
      for (const base of ['/schema-registry', '/gms/schema-registry/api', '/api/gms/schema-registry/api/']) {
        const answer = await catalog.http.get(`${base}/schemas/ids/${String(id)}?fetchMaxId=false`);
        expect(JSON.parse(answer.body)).toEqual({ schema: PROPOSAL_SCHEMA });
      }
    });

    it('keeps every schema under one id and counts versions', async () => {
      const [own, older, newer] = [
        await register(PROPOSAL_SCHEMA),
        await register(OLDER),
        await register(NEWER),
      ];
      expect(new Set([own, older, newer]).size).toBe(3);
      expect(await register(OLDER)).toBe(older);
      expect(await register(OLDER, 'other-value')).toBe(older);
      expect(await get('subjects')).toEqual([SUBJECT, 'other-value']);
      expect(await get(`subjects/${SUBJECT}/versions`)).toEqual([1, 2, 3]);
      expect(await get(`subjects/${SUBJECT}/versions/2`)).toEqual({
        subject: SUBJECT,
        version: 2,
        id: older,
        schema: OLDER,
      });
      expect(await get(`subjects/${SUBJECT}/versions/latest`)).toMatchObject({ version: 3, id: newer });
      expect(await get(`subjects/${SUBJECT}/versions/latest/schema`)).toEqual(JSON.parse(NEWER));
      expect(await get(`schemas/ids/${String(older)}`)).toEqual({ schema: OLDER });
      expect(await get(`schemas/ids/${String(older)}/schema`)).toEqual(JSON.parse(OLDER));
      expect(await get(`schemas/ids/${String(older)}/subjects`)).toEqual([SUBJECT, 'other-value']);
      expect(await get(`schemas/ids/${String(older)}/versions`)).toEqual([
        { subject: SUBJECT, version: 2 },
        { subject: 'other-value', version: 1 },
      ]);
      const found = await post(`subjects/${SUBJECT}?normalize=false&deleted=false`, { schema: OLDER });
      expect(JSON.parse(found.body)).toMatchObject({ subject: SUBJECT, version: 2, id: older });
    });

    it('returns its compatibility rules', async () => {
      await register(PROPOSAL_SCHEMA);
      expect(await get('schemas/types')).toEqual(['AVRO']);
      expect(await get('config')).toEqual({ compatibilityLevel: 'FORWARD' });
      expect(await get(`config/${SUBJECT}`)).toEqual({ compatibilityLevel: 'FORWARD' });
      expect(await get('mode')).toEqual({ mode: 'READWRITE' });
      expect(await get('contexts')).toEqual(['.']);
      expect(await get('')).toEqual({});
      const isCompatible = async (schema: string): Promise<unknown> => {
        const answer = await post(`compatibility/subjects/${SUBJECT}/versions/latest`, { schema });
        return (JSON.parse(answer.body) as { is_compatible: unknown }).is_compatible;
      };
      expect([await isCompatible(NEWER), await isCompatible(UNREADABLE)]).toEqual([true, false]);
    });

    it('gives one id to concurrent registrations at several instances, and after a restart', async () => {
      const other = await site.boot();
      const racing = Array.from({ length: 10 }, (_, at) =>
        (at % 2 === 0 ? catalog : other).http.post(
          `/schema-registry/api/subjects/${SUBJECT}/versions`,
          JSON.stringify({ schema: OLDER }),
        ),
      );
      const [first, ...rest] = (await Promise.all(racing)).map(({ body }) => body);
      expect(new Set(rest)).toEqual(new Set([first]));
      await other.stop();
      await catalog.stop();
      catalog = await site.boot();
      expect(JSON.stringify({ id: await register(OLDER) })).toBe(first);
      expect(await get(`subjects/${SUBJECT}/versions`)).toEqual([1]);
    });

    it('requires a token in mode all, as a bearer or as the password of any user', async () => {
      await catalog.stop();
      const token = 'a-token-of-the-operator';
      catalog = await site.boot({ environment: { STRATALOG_AUTH: 'all', STRATALOG_TOKEN: token } });
      const target = '/schema-registry/api/subjects';
      expect(rejection(await catalog.http.get(target))).toMatchObject({ status: 401, error_code: 401 });
      const pair = Buffer.from(`kafka:${token}`).toString('base64');
      expect((await catalog.http.get(target, { authorization: `Basic ${pair}` })).status).toBe(200);
      expect((await catalog.http.get(target, { authorization: `Bearer ${token}` })).status).toBe(200);
    });
  });

  describe('that holds one schema', () => {
    beforeAll(async () => {
      await boot();
      await register(PROPOSAL_SCHEMA);
    });
    afterAll(() => site.remove());

    it.each([
      ['a schema of something else', 'POST', `subjects/a/versions`, { schema: FOREIGN }, 422, 42201],
      ['no schema at all', 'POST', 'subjects/a/versions', { schema: '{' }, 422, 42201],
      ['a body without schema', 'POST', 'subjects/a/versions', {}, 422, 42201],
      [
        'another kind of schema',
        'POST',
        'subjects/a/versions',
        { schema: '{}', schemaType: 'JSON' },
        422,
        42201,
      ],
      ['one that ours cannot read', 'POST', 'subjects/a/versions', { schema: UNREADABLE }, 409, 409],
      [
        'a subject without end',
        'POST',
        `subjects/${'a'.repeat(256)}/versions`,
        { schema: OLDER },
        422,
        42208,
      ],
      ['an unknown subject', 'GET', 'subjects/a/versions', undefined, 404, 40401],
      ['an unknown version', 'GET', `subjects/${SUBJECT}/versions/9`, undefined, 404, 40402],
      ['a version that is none', 'GET', `subjects/${SUBJECT}/versions/x`, undefined, 422, 42202],
      ['an unknown id', 'GET', 'schemas/ids/1', undefined, 404, 40403],
      ['an id that is none', 'GET', 'schemas/ids/99999999999', undefined, 404, 40403],
      ['a schema that is not there', 'POST', `subjects/${SUBJECT}`, { schema: NEWER }, 404, 40403],
      ['a lookup in no subject', 'POST', 'subjects/a', { schema: NEWER }, 404, 40401],
      ['another compatibility', 'PUT', 'config', { compatibility: 'NONE' }, 422, 42203],
      ['a removal', 'DELETE', `subjects/${SUBJECT}`, undefined, 422, 42205],
    ])('rejects %s', async (_name, method, path, body, status, errorCode) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const target = `/schema-registry/api/${path}`;
      const answer = await catalog.http.send({ method, target, headers: JAVA, ...sent });
      expect(rejection(answer)).toEqual({ status, error_code: errorCode, message: expect.any(String) });
      expect(await get('subjects')).toEqual([SUBJECT]);
    });
  });
});
