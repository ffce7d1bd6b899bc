import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutput, type JsonOutputObject } from '@stratalog/model';
import { bodyOf, type SentProposal } from './testing/catalog-client';
import type { RawRequest } from './testing/raw-http';
import { catalogForSuite } from './testing/suite-catalog';
import { expectRefusal, get, post } from './testing/wire-case';

const URN = 'urn:li:dataset:(urn:li:dataPlatform:hive,refused,PROD)';
const TAG = 'urn:li:tag:refused';
const INGEST = '/aspects?action=ingestProposal';
const MAX_BODY_BYTES = 200_000;

type Case = readonly [name: string, request: RawRequest, status: number, message: string];

const proposal = (changes: Partial<SentProposal>): RawRequest =>
  post(
    INGEST,
    bodyOf({ urn: URN, aspectName: 'datasetProperties', value: { description: 'x' }, ...changes }),
  );
/** A proposal in which members are replaced; `undefined` leaves one out. */
const members = (replaced: JsonOutputObject): RawRequest => proposal({ members: replaced });
const value = (aspectName: string, of: JsonOutputObject | string): RawRequest =>
  proposal({ aspectName, value: of });
const urn = (text: string): RawRequest =>
  proposal({ urn: text, aspectName: 'status', value: { removed: true } });
const search = (parameters: JsonOutputObject): RawRequest =>
  post(
    '/entities?action=search',
    stringifyJson({ input: '*', entity: 'dataset', start: 0, count: 10, ...parameters }),
  );
const nested = (depth: number): JsonOutput => (depth === 0 ? {} : { a: nested(depth - 1) });

const BODIES: readonly Case[] = [
  ['no JSON', post(INGEST, 'proposal=x'), 400, 'Error parsing entity body'],
  ['half a JSON', post(INGEST, '{"proposal":{'), 400, 'Error parsing entity body'],
  ['a list', post(INGEST, '[]'), 400, 'Error parsing entity body: not a JSON object'],
  ['nothing', post(INGEST, ''), 400, "Parameter 'proposal' is required"],
  ['no proposal', post(INGEST, '{"proposal":null}'), 400, "Parameter 'proposal' is required"],
  ['a proposal that is a text', post(INGEST, '{"proposal":"x"}'), 400, '/proposal :: "x" is not an object'],
  [
    'more than 200 levels',
    post(INGEST, `{"a":${'['.repeat(300)}${']'.repeat(300)}}`),
    400,
    'nested deeper than 200 levels',
  ],
  [
    'more than the limit',
    proposal({ value: { description: 'x'.repeat(MAX_BODY_BYTES) } }),
    413,
    'The body of the request is larger than the limit',
  ],
];

const MEMBERS: readonly Case[] = [
  ['no entityType', members({ entityType: undefined }), 400, '/proposal/entityType :: is required'],
  ['a number for entityType', members({ entityType: 7 }), 400, '/proposal/entityType :: is not a string'],
  [
    'an unknown entityType',
    members({ entityType: 'dashbord' }),
    400,
    'Failed to find entity with name dashbord in EntityRegistry',
  ],
  [
    'another entityType than its urn',
    members({ entityType: 'chart' }),
    422,
    'URN entity type does not match MCP entity type. dataset != chart',
  ],
  ['no entityUrn', members({ entityUrn: undefined }), 400, '/proposal/entityUrn :: is required'],
  ['an object for entityUrn', members({ entityUrn: {} }), 400, '/proposal/entityUrn :: is not a string'],
  ['no aspectName', members({ aspectName: null }), 400, '/proposal/aspectName :: is required'],
  ['no changeType', members({ changeType: undefined }), 400, '/proposal/changeType :: is required'],
  [
    'an unknown changeType',
    members({ changeType: 'UPSRT' }),
    400,
    '/proposal/changeType :: "UPSRT" is not one of UPSERT',
  ],
  ...(['CREATE', 'CREATE_ENTITY', 'UPDATE'] as const).map((changeType): Case => [
    `changeType ${changeType} without a value`,
    members({ changeType, aspect: undefined }),
    422,
    'Aspect datasetProperties has no value',
  ]),
  [
    'changeType RESTATE of what is not there',
    members({ changeType: 'RESTATE', aspect: undefined }),
    422,
    `Cannot RESTATE aspect datasetProperties of ${URN}: it is not there, and no value was sent`,
  ],
  ...(
    [
      ['If-Version-Match', 'one', '"one" is not a version: 1, 2, 3 and so on, or -1'],
      ['if-version-match', '0', '"0" is not a version'],
      ['If-Modified-Since', 'Sat, 21 Nov 2026 08:30:00 GMT', 'is not a time like 2026-11-21T08:30:00Z'],
      ['If-Unmodified-Since', '2026-13-41T00:00:00Z', 'is not a time like'],
      ['If-None-Match', '"abc"', 'is not *'],
      ['If-None-Match', '*', 'means nothing with UPSERT; use CREATE or CREATE_ENTITY'],
    ] as const
  ).map(([name, text, reason]): Case => [
    `the header ${name}: ${text}`,
    members({ headers: { [name]: text } }),
    400,
    reason,
  ]),
  ['a list for headers', members({ headers: [] }), 400, '/proposal/headers :: is not an object'],
  [
    'a number for a header',
    members({ headers: { 'If-Version-Match': 1 } }),
    400,
    '/proposal/headers/If-Version-Match :: is not a string',
  ],
  [
    'a header twice',
    members({ headers: { 'If-Version-Match': '1', 'if-version-match': '1' } }),
    400,
    '/proposal/headers/if-version-match :: is there twice',
  ],
  ['no aspect', members({ aspect: undefined }), 422, 'Aspect datasetProperties has no value'],
  ['a list for aspect', members({ aspect: [] }), 400, '/proposal/aspect :: is not an object'],
  ['no aspect.value', members({ aspect: {} }), 400, '/proposal/aspect/value :: is required'],
  [
    'an object for aspect.value',
    members({ aspect: { value: {} } }),
    400,
    '/proposal/aspect/value :: is not a string',
  ],
  [
    'another contentType',
    members({ aspect: { value: '{}', contentType: 'application/avro' } }),
    422,
    'proposal.aspect.contentType application/avro is not supported',
  ],
  [
    'a number for contentType',
    members({ aspect: { value: '{}', contentType: 1 } }),
    400,
    '/proposal/aspect/contentType :: is not a string',
  ],
  [
    'a list for systemMetadata',
    members({ systemMetadata: [] }),
    400,
    '/proposal/systemMetadata :: is not an object',
  ],
  [
    'text that is no JSON for systemMetadata',
    members({ systemMetadata: 'run' }),
    400,
    '/proposal/systemMetadata :: is neither an object nor the JSON text of one',
  ],
  [
    'a text for lastObserved',
    members({ systemMetadata: { lastObserved: 'today' } }),
    400,
    '/proposal/systemMetadata/lastObserved :: is not a time in epoch milliseconds',
  ],
  [
    'a number for runId',
    members({ systemMetadata: { runId: 1 } }),
    400,
    '/proposal/systemMetadata/runId :: is not a string',
  ],
  [
    'a list among properties',
    members({ systemMetadata: { properties: { a: [] } } }),
    400,
    '/proposal/systemMetadata/properties/a :: is not a string',
  ],
  [
    'another word for async',
    proposal({ parameters: { async: 'yes' } }),
    400,
    '/async :: "yes" is not true or false',
  ],
  [
    'a number for async',
    proposal({ parameters: { async: 1 } }),
    400,
    "Parameters of method 'ingestProposal' failed validation with error '/async :: 1 is not true or false'",
  ],
];

const URNS: readonly Case[] = [
  ['that is none', members({ entityUrn: 'dataset' }), 422, 'Invalid urn dataset: must start with "urn:"'],
  ['without an id', urn('urn:li:dataset:'), 422, 'none of them empty'],
  ['of an unknown type', members({ entityUrn: 'urn:li:nonsense:x' }), 422, 'unknown entity type nonsense'],
  ['of another namespace', urn('urn:other:tag:x'), 422, 'must start with "urn:li:"'],
  ['with another case of its type', urn('urn:li:Tag:x'), 422, 'spelled tag, not Tag'],
  ['with a blank in front', members({ entityUrn: ` ${URN}` }), 422, 'leading or trailing whitespace'],
  ['of 513 bytes', urn(`urn:li:tag:${'x'.repeat(502)}`), 422, 'longer than 512 bytes (when URL encoded)'],
  ['of 513 encoded bytes', urn(`urn:li:tag:${'日'.repeat(56)}`), 422, 'longer than 512 bytes'],
  ['with U+241F', urn('urn:li:tag:a\u241fb'), 422, 'must not contain the character U+241F'],
  ['with a NUL', urn('urn:li:tag:a\u0000b'), 422, 'must not contain control characters'],
  ['with half a surrogate pair', urn('urn:li:tag:\\ud83d'), 422, 'unpaired surrogates'],
  ['with an open parenthesis', urn('urn:li:dataset:(a,b'), 422, 'has unbalanced parentheses'],
  [
    'with too few parts',
    urn('urn:li:dataset:(urn:li:dataPlatform:hive,x)'),
    422,
    'must be a tuple of 3 parts (platform,name,origin), but has 2 of them',
  ],
  ['with an empty part', urn('urn:li:dataset:(urn:li:dataPlatform:hive,,PROD)'), 422, 'has an empty part'],
  [
    'whose part is no urn',
    urn('urn:li:dataset:(hive,x,PROD)'),
    422,
    'its part platform must be a urn, not "hive"',
  ],
  [
    'whose part is no symbol',
    urn('urn:li:dataset:(urn:li:dataPlatform:hive,x,NOWHERE)'),
    422,
    'its part origin must be one of',
  ],
];

const VALUES: readonly Case[] = [
  [
    'of an aspect that nobody has',
    value('noSuchAspect', {}),
    422,
    'Unknown aspect noSuchAspect for entity dataset',
  ],
  ['of an aspect of others', value('chartInfo', {}), 422, 'Unknown aspect chartInfo for entity dataset'],
  [
    'of a point without a moment',
    value('datasetProfile', { rowCount: 1 }),
    422,
    'Failed to validate record with class com.linkedin.dataset.DatasetProfile: ERROR :: /timestampMillis',
  ],
  ['that is no JSON', value('status', 'removed'), 422, 'Invalid format for aspect status'],
  ['that is a list', value('status', '[]'), 422, 'must be an object (com.linkedin.common.Status)'],
  [
    'with a member of the wrong type',
    value('status', { removed: 'yes' }),
    422,
    'Failed to validate record with class com.linkedin.common.Status: ERROR :: /removed :: must be a boolean, not "yes"',
  ],
  [
    'without a required member',
    value('ownership', { owners: [{ owner: 'urn:li:corpuser:x' }] }),
    422,
    'ERROR :: /owners/0/type :: is required',
  ],
  [
    'with an unknown symbol',
    value('ownership', { owners: [{ owner: 'urn:li:corpuser:x', type: 'BOSS' }] }),
    422,
    'ERROR :: /owners/0/type :: must be one of',
  ],
  [
    'with a urn of the wrong type',
    value('globalTags', { tags: [{ tag: 'urn:li:tag:a' }, { tag: 'urn:li:corpuser:b' }] }),
    422,
    'ERROR :: /tags/1/tag :: must be a urn of type tag, not "urn:li:corpuser:b"',
  ],
  [
    'with a map of other things',
    value('datasetProperties', { customProperties: { a: 1 } }),
    422,
    'ERROR :: /customProperties/a :: must be a string, not 1',
  ],
  [
    'with an unknown union member',
    value('schemaMetadata', {
      schemaName: 's',
      platform: 'urn:li:dataPlatform:hive',
      version: 0,
      hash: '',
      fields: [],
      platformSchema: { Nonsense: {} },
    }),
    422,
    'ERROR :: /platformSchema :: must be one of',
  ],
  [
    'with half a surrogate pair',
    value('datasetProperties', '{"description":"\\ud83d"}'),
    422,
    'ERROR :: /description :: must not contain unpaired surrogates',
  ],
  [
    'with an integer beyond 64 bits',
    value('datasetProperties', '{"created":{"time":9223372036854775808}}'),
    422,
    'ERROR :: /created/time :: must be a 64-bit integer, not 9223372036854775808',
  ],
  [
    'with a poisoned member',
    value('status', '{"__proto__":{"removed":true}}'),
    422,
    "'__proto__' is not allowed",
  ],
  ['of 201 levels', value('status', stringifyJson(nested(201))), 422, 'nested deeper than 200 levels'],
];

const READS: readonly Case[] = [
  ['of a urn that is none', get('/entitiesV2/nonsense'), 400, 'Invalid urn nonsense'],
  ['of an aspect of a urn that is none', get('/aspects/nonsense?aspect=status'), 400, 'Invalid urn nonsense'],
  [
    'of an unknown type',
    get('/entitiesV2/urn:li:nonsense:x'),
    400,
    'Failed to find entity with name nonsense in EntityRegistry',
  ],
  [
    'of a urn with too few parts',
    get('/entitiesV2/urn:li:dataset:x'),
    400,
    'Invalid urn urn:li:dataset:x: its id must be a tuple of 3 parts',
  ],
  ['without an aspect', get(`/aspects/${TAG}?version=0`), 400, "Parameter 'aspect' is required"],
  ['with an empty aspect', get(`/aspects/${TAG}?aspect=`), 400, "Parameter 'aspect' is required"],
  ['of version x', get(`/aspects/${TAG}?aspect=status&version=x`), 400, "'version' value 'x' is invalid"],
  [
    'of version 1.5',
    get(`/aspects/${TAG}?aspect=status&version=1.5`),
    400,
    "'version' value '1.5' is invalid",
  ],
  [
    'of a version that is not there',
    get(`/aspects/${TAG}?aspect=status&version=2`),
    404,
    `Did not find urn: ${TAG} aspect: status version: 2`,
  ],
  ['of an aspect that was never written', get(`/aspects/${TAG}?aspect=ownership`), 404, 'aspect: ownership'],
  ['of an aspect that nobody has', get(`/aspects/${TAG}?aspect=a%00b`), 404, 'Did not find urn'],
  [
    'of an entity that was never written',
    get('/aspects/urn:li:tag:none?aspect=tagKey'),
    404,
    'Did not find urn: urn:li:tag:none aspect: tagKey version: 0',
  ],
  [
    'of a timeseries aspect',
    get(`/aspects/${encodeURIComponent(URN)}?aspect=datasetProfile`),
    404,
    'aspect: datasetProfile',
  ],
  [
    'of an aspect that is named twice',
    get(`/aspects/${TAG}?aspect=status&aspect=ownership`),
    400,
    "Parameter 'aspect' is given more than once",
  ],
  [
    'of a version that is named twice',
    get(`/aspects/${TAG}?aspect=status&version=1&version=2`),
    400,
    "Parameter 'version' is given more than once",
  ],
  [
    'of a version beyond 64 bits',
    get(`/aspects/${TAG}?aspect=status&version=99999999999999999999`),
    400,
    "'version' value '99999999999999999999' is invalid",
  ],
  [
    'as of yesterday',
    get(`/aspects/${TAG}?aspect=status&asOf=yesterday`),
    400,
    "'asOf' value 'yesterday' is invalid: it must be an integer from 0 on",
  ],
  ['as of before 1970', get(`/entitiesV2/${TAG}?asOf=-1`), 400, "'asOf' value '-1' is invalid"],
  [
    'of a version as of a time',
    get(`/aspects/${TAG}?aspect=status&version=1&asOf=5`),
    400,
    "Parameter 'version' does not go with asOf",
  ],
  [
    'of a version in a range',
    get(`/aspects/${TAG}?aspect=status&version=0&startVersion=1`),
    400,
    "Parameter 'version' does not go with a range of versions",
  ],
  [
    'of a time in a range',
    get(`/aspects/${TAG}?aspect=status&asOf=1&count=1`),
    400,
    "Parameter 'asOf' does not go with a range of versions",
  ],
  [
    'of a range from version 0',
    get(`/aspects/${TAG}?aspect=status&startVersion=0`),
    400,
    "'startVersion' value '0' is invalid: it must be an integer from 1 on",
  ],
  [
    'of a range that ends before it begins',
    get(`/aspects/${TAG}?aspect=status&startVersion=3&endVersion=2`),
    400,
    "Parameter 'endVersion': 2 comes before startVersion, which is 3",
  ],
  [
    'of a range in no order',
    get(`/aspects/${TAG}?aspect=status&order=UP`),
    400,
    "'order' value 'UP' is invalid: it must be one of DESCENDING, ASCENDING",
  ],
  [
    'of a range without end',
    get(`/aspects/${TAG}?aspect=status&count=1001`),
    400,
    "'count' value '1001' is invalid: it must be an integer from 1 to 1000",
  ],
  [
    'of a range of what was never written',
    get(`/aspects/${TAG}?aspect=ownership&count=1`),
    404,
    'aspect: ownership',
  ],
  ['of a timeline of a urn that is none', get('/entitiesV2/nonsense/timeline'), 400, 'Invalid urn nonsense'],
  [
    'of a timeline without end',
    get(`/entitiesV2/${TAG}/timeline?count=101`),
    400,
    "'count' value '101' is invalid: it must be an integer from 1 to 100",
  ],
  [
    'of a timeline from nowhere',
    get(`/entitiesV2/${TAG}/timeline?cursor=x`),
    400,
    "'cursor' value 'x' is invalid",
  ],
  [
    'of a timeline of tomorrow',
    get(`/entitiesV2/${TAG}/timeline?endTime=tomorrow`),
    400,
    "'endTime' value 'tomorrow' is invalid",
  ],
  ['of several entities without ids', get('/entitiesV2'), 400, "Parameter 'ids' is required"],
  [
    'of several entities, one of them wrong',
    get(`/entitiesV2?ids=List(${TAG},nonsense)`),
    400,
    'Invalid urn nonsense',
  ],
  [
    'of too many entities',
    get(
      `/entitiesV2?ids=List(${Array.from({ length: 1_001 }, (_, at) => `urn:li:tag:${at.toString(36)}`).join(',')})`,
    ),
    400,
    "Parameter 'ids' names 1001 urns; at most 1000 are read at once",
  ],
  ['of a list that does not end', get(`/entitiesV2?ids=List(${TAG}`), 400, 'is invalid'],
  ['of snapshots without ids', get('/entities'), 400, "Parameter 'ids' is required"],
  [
    'of a snapshot of a newer type',
    get('/entities/urn:li:container:x'),
    400,
    'Entity container has no snapshot; read it with GET /entitiesV2/<urn>',
  ],
  [
    'of a snapshot of an unknown type',
    get('/entities/urn:li:nonsense:x'),
    400,
    'Failed to find entity with name nonsense in EntityRegistry',
  ],
  [
    'of versions of no type',
    get(`/entitiesVersionedV2?ids=List(${TAG})`),
    400,
    "Parameter 'entityType' is required",
  ],
  [
    'of versions of another type',
    get(`/entitiesVersionedV2?entityType=chart&ids=List(${TAG})`),
    400,
    "Parameter 'ids': urn:li:tag:refused is not of entity type chart",
  ],
  [
    'of versions by a stamp that is none',
    get(`/entitiesVersionedV2?entityType=tag&ids=(urn:${TAG},versionStamp:status)`),
    400,
    'Invalid version stamp cannot be parsed: status',
  ],
  ['of a urn that is not UTF-8', get('/entitiesV2/urn:li:tag:%FF'), 400, 'not percent-encoded UTF-8'],
];

const SEARCHES: readonly Case[] = [
  ...(['input', 'entity', 'start', 'count'] as const).map((name): Case => [
    `without ${name}`,
    search({ [name]: undefined }),
    400,
    `Parameter '${name}' is required`,
  ]),
  ['with a number as input', search({ input: 1 }), 400, '/input :: 1 is not a string'],
  [
    'of an unknown entity',
    search({ entity: 'nonsense' }),
    400,
    'Failed to find entity with name nonsense in EntityRegistry',
  ],
  ['from before the start', search({ start: -1 }), 400, '/start :: -1 is not an integer from 0'],
  ['with a text as start', search({ start: 'x' }), 400, '/start :: "x" is not an integer'],
  ['of half an entity', search({ count: 0.5 }), 400, '/count :: 0.5 is not an integer'],
  ['of too many', search({ count: 10_001 }), 400, '/count :: 10001 is not an integer from 0 to 10000'],
  ['beyond the window', search({ start: 9_999 }), 400, 'start + count is 10009, but must not exceed 10000'],
  [
    'with a filter by what nobody can search',
    search({ filter: { or: [{ and: [{ field: 'colour', value: 'x' }] }] } }),
    400,
    '/filter/or/0/and/0/field :: colour is no searchable field of the entity type dataset',
  ],
  [
    'in the order of what nobody can search',
    search({ sort: { field: 'colour' } }),
    400,
    '/sort/field :: colour is no searchable field of the entity type dataset',
  ],
];

describe('a refused request', () => {
  const catalog = catalogForSuite({ environment: { STRATALOG_MAX_BODY_BYTES: String(MAX_BODY_BYTES) } });
  beforeAll(async () => {
    await catalog.http.write(TAG, 'status', { removed: false });
  });

  describe.each([
    ['for a body with', BODIES],
    ['for a proposal with', MEMBERS],
    ['for a urn', URNS],
    ['for a value', VALUES],
    ['for a read', READS],
    ['for a search', SEARCHES],
  ])('%s', (_what, cases) => {
    it.each(cases)('%s', async (_name, request, status, message) => {
      const before = await catalog.parts.store.head();
      expectRefusal(await catalog.http.send(request), status, message);
      expect(await catalog.parts.store.head()).toEqual(before);
      expect((await catalog.http.get('/health')).status).toBe(200);
    });
  });

  it('leaves nothing of its entity behind', async () => {
    expect((await catalog.http.entity(URN)).json).toMatchObject({ aspects: { datasetKey: { version: 0 } } });
    expect((await catalog.http.aspect(URN, 'datasetKey')).status).toBe(404);
    expect(await catalog.parts.store.readEntity(URN)).toBeUndefined();
  });

  it('leaves what was there as it was', async () => {
    const before = (await catalog.http.entity(TAG)).json;
    for (const value of ['{"removed":1}', 'x', '{']) {
      expect((await catalog.http.ingest({ urn: TAG, aspectName: 'status', value })).status).toBe(422);
    }
    expect((await catalog.http.entity(TAG)).json).toEqual(before);
  });

  it('is not echoed without bound', async () => {
    const long = 'x'.repeat(100_000);
    const answers = await Promise.all([
      catalog.http.send(urn(`urn:li:tag:${long}`)),
      catalog.http.send(members({ entityType: long })),
      catalog.http.send(members({ changeType: long })),
      catalog.http.send(members({ aspect: { value: '{}', contentType: long } })),
      catalog.http.send(value(long, {})),
      catalog.http.send(value('status', { removed: long })),
      catalog.http.send(search({ entity: long })),
      catalog.http.send(search({ start: long })),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(body.length).toBeLessThan(5_000);
    }
  });

  it('is refused just as well when it is asynchronous, but for an aspect that a later model may know', async () => {
    const before = await catalog.parts.store.head();
    for (const [refused, status, message] of [
      [{ urn: URN, aspectName: 'status', value: { removed: 'x' } }, 422, '/removed :: must be a boolean'],
      [{ urn: 'nonsense', aspectName: 'status', value: {} }, 400, 'Failed to find entity with name'],
    ] as const) {
      expectRefusal(
        await catalog.http.ingest({ ...refused, parameters: { async: 'true' } }),
        status,
        message,
      );
    }
    expect(await catalog.parts.store.head()).toEqual(before);
  });
});
