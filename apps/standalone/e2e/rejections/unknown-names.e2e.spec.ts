import { describe, expect, it } from '@jest/globals';
import { toBody, type SentProposal } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';
import { expectRejection, get, post } from '../testing/catalog/wire-case';

const WARNINGS = 'x-stratalog-warnings';
const STRICT = { 'X-Stratalog-Strict': 'true' };
const TAG = 'urn:li:tag:unknown-names';
const INGEST = '/aspects?action=ingestProposal';

const write = (sent: Partial<SentProposal>, headers: Record<string, string> = {}) =>
  post(INGEST, toBody({ urn: TAG, aspectName: 'tagProperties', value: { name: 'x' }, ...sent }), headers);
const asyncWrite = (sent: Partial<SentProposal>) => {
  const body = toBody({ urn: TAG, aspectName: 'tagProperties', value: { name: 'x' }, ...sent });
  return post(INGEST, JSON.stringify({ ...(JSON.parse(body) as object), async: true }));
};
const toSnapshot = (members: object) => ({
  entity: { value: { 'com.linkedin.metadata.snapshot.TagSnapshot': { urn: TAG, aspects: [], ...members } } },
});

const CASES: readonly (readonly [
  what: string,
  request: ReturnType<typeof post>,
  warnings: readonly string[],
])[] = [
  [
    'a field of an aspect',
    write({ value: { name: 'x', descripton: 'y', other: null } }),
    ['/proposal/aspect/value/descripton is unknown; did you mean description?'],
  ],
  [
    'a field deep in an aspect, in lists, unions and maps',
    write({
      urn: 'urn:li:dataset:(urn:li:dataPlatform:hive,unknown,PROD)',
      aspectName: 'schemaMetadata',
      value: {
        schemaName: 's',
        platform: 'urn:li:dataPlatform:hive',
        version: 0,
        hash: '',
        platformSchema: { OtherSchema: { rawSchema: '', rawSchem: '' } },
        fields: [
          { fieldPath: 'a', nativeDataType: 'int', type: { type: { 'com.linkedin.schema.NumberType': {} } } },
          {
            fieldPath: 'b',
            nativeDataType: 'int',
            nulable: true,
            type: { type: { 'com.linkedin.schema.NumberType': {} } },
          },
        ],
      },
    }),
    [
      '/proposal/aspect/value/platformSchema/OtherSchema/rawSchem is unknown; did you mean rawSchema?',
      '/proposal/aspect/value/fields/1/nulable is unknown; did you mean nullable?',
    ],
  ],
  [
    'the aspect of an asynchronous write, which is kept aside',
    asyncWrite({ aspectName: 'tagPropertis' }),
    ['/proposal/aspectName=tagPropertis is unknown; did you mean tagProperties?'],
  ],
  [
    'the entity type of an asynchronous write',
    asyncWrite({ urn: 'urn:li:tga:x', members: { entityType: 'tga' } }),
    ['/proposal/entityType=tga is unknown; did you mean tag?'],
  ],
  [
    'an aspect in an asynchronous batch',
    post(
      '/aspects?action=ingestProposalBatch',
      JSON.stringify({
        proposals: [
          {
            entityType: 'tag',
            entityUrn: TAG,
            changeType: 'UPSERT',
            aspectName: 'tagPropertis',
            aspect: { value: '{}', contentType: 'application/json' },
          },
        ],
        async: true,
      }),
    ),
    ['/proposals/0/aspectName=tagPropertis is unknown; did you mean tagProperties?'],
  ],
  [
    'a field in an asynchronous write',
    asyncWrite({ value: { name: 'x', colour: 'y' } }),
    ['/proposal/aspect/value/colour is unknown'],
  ],
  [
    'members of the envelope, a condition among them',
    write({
      members: {
        systemMetadata: { runID: 'r' },
        aspct: {},
        headers: { 'If-Version-Mtach': '1', Other: 'x' },
      },
    }),
    [
      '/proposal/systemMetadata/runID is unknown; did you mean runId?',
      '/proposal/aspct is unknown; did you mean aspect?',
      '/proposal/headers/If-Version-Mtach is unknown; did you mean If-Version-Match?',
    ],
  ],
  [
    'a field of a patch',
    write({
      urn: 'urn:li:dataset:(urn:li:dataPlatform:hive,unknown,PROD)',
      aspectName: 'datasetProperties',
      value: JSON.stringify([{ op: 'add', path: '/descripton', value: 'x' }]),
      members: { changeType: 'PATCH' },
    }),
    ['/proposal/aspect/value/0/path/descripton is unknown; did you mean description?'],
  ],
  [
    'a field in a batch',
    post(
      '/aspects?action=ingestProposalBatch',
      JSON.stringify({
        proposals: [{ name: 'x' }, { name: 'x', nmae: 'y' }].map(
          (value) =>
            (JSON.parse(toBody({ urn: TAG, aspectName: 'tagProperties', value })) as { proposal: object })
              .proposal,
        ),
      }),
    ),
    ['/proposals/1/aspect/value/nmae is unknown; did you mean name?'],
  ],
  [
    'a member and a field of a snapshot',
    post(
      '/entities?action=ingest',
      JSON.stringify(
        toSnapshot({
          urnn: 'x',
          aspects: [{ 'com.linkedin.tag.TagProperties': { name: 'x', nme: 'y' } }],
        }),
      ),
    ),
    [
      '/entity/value/com.linkedin.metadata.snapshot.TagSnapshot/urnn is unknown; did you mean urn?',
      '/entity/value/com.linkedin.metadata.snapshot.TagSnapshot/aspects/0/com.linkedin.tag.TagProperties/nme is unknown; did you mean name?',
    ],
  ],
  [
    'a parameter of an action, and one of its address',
    post(
      '/entities?action=search&async=true',
      JSON.stringify({ input: '*', entity: 'tag', start: 0, count: 1, fliter: {}, 日: 1 }),
    ),
    ['?async is unknown', '/fliter is unknown; did you mean filter?', '/日 is unknown'],
  ],
  [
    'a parameter of a read, and an aspect to read',
    get(`/entitiesV2/${TAG}?aspects=List(tagPropertys,status)&asoff=1`),
    [
      '?asoff is unknown; did you mean asOf?',
      '?aspects=tagPropertys is unknown; did you mean tagProperties?',
    ],
  ],
  [
    'a relationship',
    get(`/relationships?urn=${TAG}&direction=OUTGOING&types=List(OwnedBy,OwndBy)`),
    ['?types=OwndBy is unknown; did you mean OwnedBy?'],
  ],
];

describe('an unknown name', () => {
  const catalog = catalogForSuite({ environment: { STRATALOG_CORS_ORIGINS: 'https://page.example' } });

  it.each(CASES)('is reported, and ignored: %s', async (_what, request, warnings) => {
    const answer = await catalog.http.send(request);
    expect([answer.status, answer.body]).toEqual([200, answer.body]);
    const header = String(answer.headers[WARNINGS]);
    expect(header).toMatch(/^[\x20-\x7e]+$/);
    expect([...(JSON.parse(header) as string[])].sort()).toEqual([...warnings].sort());
  });

  it.each(CASES)(
    'is a rejection of a strict call, which changes nothing: %s',
    async (_what, request, warnings) => {
      const before = await catalog.deps.store.readPartitionSequences();
      const answer = await catalog.http.send({ ...request, headers: { ...request.headers, ...STRICT } });
      expectRejection(answer, 422, 'A strict call may not have unknown names: ');
      const { message } = answer.json as { readonly message: string };
      expect(warnings.some((warning) => message.includes(warning))).toBe(true);
      expect(await catalog.deps.store.readPartitionSequences()).toEqual(before);
    },
  );

  it('is not reported where there is none', async () => {
    for (const request of [write({}), write({}, STRICT), get(`/entitiesV2/${TAG}?aspects=status`, STRICT)]) {
      const answer = await catalog.http.send(request);
      expect([answer.status, answer.headers[WARNINGS]]).toEqual([200, undefined]);
    }
  });

  it('is reported in a bounded header, however many there are', async () => {
    const names = Array.from({ length: 500 }, (_, at) => [`${'n'.repeat(200)}${String(at)}`, 1]);
    const answer = await catalog.http.send(
      write({ value: { name: 'x', ...(Object.fromEntries(names) as Record<string, unknown>) } }),
    );
    expect(answer.status).toBe(200);
    const header = String(answer.headers[WARNINGS]);
    expect(header.length).toBeLessThan(2_048);
    expect(header).toMatch(/"and 4\d\d more"\]$/);
  });

  it('is reported with a rejection for another reason too, and to pages of other sites', async () => {
    const request = write(
      { value: { nmae: 'x' }, members: { aspct: 1 } },
      { Origin: 'https://page.example' },
    );
    const answer = await catalog.http.send(request);
    expect([answer.status, answer.headers[WARNINGS]]).toEqual([
      422,
      '["/proposal/aspct is unknown; did you mean aspect?"]',
    ]);
    expect(answer.headers['access-control-expose-headers']).toContain('X-Stratalog-Warnings');
  });

  it('requires strictness to be true or false', async () => {
    const answer = await catalog.http.send(write({}, { 'X-Stratalog-Strict': 'yes' }));
    expectRejection(answer, 400, 'Header X-Stratalog-Strict: "yes" is not true or false');
  });
});

describe('a strict catalog', () => {
  const catalog = catalogForSuite({ environment: { STRATALOG_STRICT: 'true' } });

  it('rejects unknown names whatever the call says', async () => {
    const unknown = { value: { name: 'x', descripton: 'y' } };
    for (const headers of [{}, { 'X-Stratalog-Strict': 'false' }]) {
      expectRejection(await catalog.http.send(write(unknown, headers)), 422, 'descripton is unknown');
    }
    expect((await catalog.http.send(write({}))).status).toBe(200);
  });
});
