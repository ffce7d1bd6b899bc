import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonObject, type JsonOutput, type JsonOutputObject } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { at, toBody } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const OPERATOR = 'an-operators-token-of-our-own';
const ADA = 'urn:li:corpuser:ada';
const TEAM = 'urn:li:corpGroup:stewards';
const EUROPE = 'urn:li:domain:europe';
const SALES = 'urn:li:domain:sales';
const dataset = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,shop.${name},PROD)`;
const policyUrn = (name: string) => `urn:li:dataHubPolicy:${name}`;
const TAGS: JsonOutputObject = { tags: [{ tag: 'urn:li:tag:pii' }] };
const PROPERTIES: JsonOutputObject = { description: 'x' };

/** Members of policies that differ; the rest is the same for all. */
const POLICIES: Readonly<Record<string, JsonOutputObject>> = {
  tagging: {
    displayName: 'Stewards tag sales data',
    privileges: ['EDIT_ENTITY_TAGS'],
    actors: { groups: [TEAM] },
    resources: { filter: { criteria: [{ field: 'DOMAIN', values: [EUROPE] }] } },
  },
  owning: {
    displayName: 'Owners edit',
    privileges: ['EDIT_ENTITY'],
    actors: { resourceOwners: true },
    resources: { type: 'dataset', allResources: true },
  },
  creating: {
    displayName: 'Everybody creates tables',
    privileges: ['CREATE_ENTITY'],
    actors: { allUsers: true },
    resources: {
      filter: {
        criteria: [
          {
            field: 'URN',
            values: ['urn:li:dataset:(urn:li:dataPlatform:hive,shop.new'],
            condition: 'STARTS_WITH',
          },
        ],
      },
    },
  },
  deleting: {
    displayName: 'Ada deletes',
    privileges: ['DELETE_ENTITY'],
    actors: { users: [ADA] },
    resources: { type: 'dataset', resources: [dataset('doomed')] },
  },
  paused: {
    displayName: 'Describe everything',
    privileges: ['EDIT_ENTITY'],
    state: 'INACTIVE',
    actors: { users: [ADA] },
  },
};

describe('Policies', () => {
  const catalog = catalogForSuite({
    environment: { STRATALOG_AUTH: 'all', STRATALOG_TOKEN: OPERATOR, STRATALOG_POLICIES: 'on' },
  });
  let ada: string;
  const by = (token: string) => ({ authorization: `Bearer ${token}` });
  const post = (target: string, body: JsonOutputObject, token = ada): Promise<Answer> =>
    catalog.http.post(target, stringifyJson(body), by(token));
  const write = (urn: string, aspectName: string, value: JsonOutputObject, token = ada): Promise<Answer> =>
    catalog.http.ingest({ urn, aspectName, value, headers: by(token) });
  const proposal = (urn: string, aspectName: string, value: JsonOutputObject): JsonObject =>
    (JSON.parse(toBody({ urn, aspectName, value })) as { proposal: JsonObject }).proposal;
  const makeToken = async (members: JsonOutputObject): Promise<string> => {
    const request = { name: 'a token', actor: ADA, ...members };
    const { json } = await post('/operations?action=createToken', request, OPERATOR);
    return at(json, 'value', 'token') as string;
  };
  const readMessage = ({ status, json }: Answer) => [status, at(json, 'message')];

  beforeAll(async () => {
    ada = await makeToken({ scopes: ['read', 'write', 'operate'] });
    const facts: readonly (readonly [string, string, JsonOutputObject])[] = [
      [ADA, 'groupMembership', { groups: [TEAM] }],
      [SALES, 'domainProperties', { name: 'Sales', parentDomain: EUROPE }],
      [dataset('orders'), 'domains', { domains: [SALES] }],
      [dataset('orders'), 'datasetProperties', PROPERTIES],
      [dataset('doomed'), 'datasetProperties', PROPERTIES],
      [
        dataset('own'),
        'ownership',
        {
          owners: [{ owner: ADA, type: 'DATAOWNER' }],
          lastModified: { time: 0, actor: ADA },
        },
      ],
      ...Object.entries(POLICIES).map(
        ([name, members]) =>
          [
            policyUrn(name),
            'dataHubPolicyInfo',
            { description: '', type: 'METADATA', state: 'ACTIVE', ...members },
          ] as const,
      ),
    ];
    for (const [urn, aspectName, value] of facts) {
      expect([urn, (await write(urn, aspectName, value, OPERATOR)).status]).toEqual([urn, 200]);
    }
    // The catalog may have read the policies before the last of them was written.
    await until(async () => (await write(dataset('own'), 'status', { removed: false })).status === 200);
  });

  it('permit the aspects that their privileges name, and no others', async () => {
    expect((await write(dataset('orders'), 'globalTags', TAGS)).status).toBe(200);
    expect((await write(dataset('own'), 'datasetProperties', PROPERTIES)).status).toBe(200);
    const outside = await write(dataset('doomed'), 'globalTags', TAGS);
    expect(readMessage(outside)).toEqual([
      403,
      `This call is not permitted: no policy lets ${ADA} write globalTags of ${dataset('doomed')}, ` +
        'which needs EDIT_ENTITY_TAGS or EDIT_ENTITY' +
        `. Policy "Owners edit" (${policyUrn('owning')}) would, but it is not for this user` +
        `. Policy "Describe everything" (${policyUrn('paused')}) would, but it is INACTIVE` +
        `. Policy "Stewards tag sales data" (${policyUrn('tagging')}) would, but it is not about this entity`,
    ]);
    expect(Object.keys(outside.json as object).sort()).toEqual([
      'docUrl',
      'exceptionClass',
      'message',
      'stackTrace',
      'status',
    ]);
  });

  it('decide for every way of writing, all or nothing, and a rejection changes nothing', async () => {
    const other = dataset('doomed');
    const denied = proposal(other, 'datasetProperties', { description: 'y' });
    const allowed = proposal(dataset('orders'), 'globalTags', { tags: [] });
    const patch = {
      ...denied,
      changeType: 'PATCH',
      aspect: { value: '[]', contentType: 'application/json-patch+json' },
    };
    const snapshot = {
      value: {
        'com.linkedin.metadata.snapshot.DatasetSnapshot': {
          urn: other,
          aspects: [{ 'com.linkedin.dataset.DatasetProperties': { description: 'y' } }],
        },
      },
    };
    const usage = { bucket: 0, duration: 'DAY', resource: other, metrics: { uniqueUserCount: 1 } };
    const sequences = await catalog.deps.store.readPartitionSequences();
    const calls: readonly (readonly [string, JsonOutputObject])[] = [
      ['/aspects?action=ingestProposal', { proposal: denied }],
      ['/aspects?action=ingestProposal', { proposal: denied, async: true }],
      ['/aspects?action=ingestProposal', { proposal: patch }],
      [
        '/aspects?action=ingestProposal',
        { proposal: { ...denied, changeType: 'DELETE', aspect: undefined } },
      ],
      ['/aspects?action=ingestProposalBatch', { proposals: [allowed, denied] }],
      ['/aspects?action=ingestProposalBatch', { proposals: [allowed, denied], async: true }],
      ['/entities?action=ingest', { entity: snapshot }],
      ['/entities?action=batchIngest', { entities: [snapshot] }],
      ['/usageStats?action=batchIngest', { buckets: [usage] }],
      ['/entities?action=delete', { urn: dataset('orders') }],
      ['/entities?action=delete', { urn: other, aspectName: 'datasetProfile' }],
      ['/entities?action=deleteReferences', { urn: 'urn:li:tag:pii' }],
      ['/runs?action=rollback', { runId: 'nightly', dryRun: false }],
    ];
    for (const [target, body] of calls) {
      const answer = await post(target, body);
      expect([target, ...readMessage(answer)]).toEqual([
        target,
        403,
        expect.stringMatching(/^This call is not permitted: (no policy lets|it changes entities)/),
      ]);
    }
    const edges = `/relationships?urn=${encodeURIComponent(other)}`;
    expect(
      readMessage(await catalog.http.send({ method: 'DELETE', target: edges, headers: by(ada) })),
    ).toEqual([403, expect.stringMatching(/^This call is not permitted: it changes entities/)]);
    const written = [{ urn: other, datasetProperties: { value: { description: 'y' } } }];
    const openApi: readonly (readonly [method: string, path: string, body: JsonOutput])[] = [
      ['POST', '/openapi/v3/entity/dataset', written],
      ['PATCH', '/openapi/v3/entity/dataset', [{ urn: other, datasetProperties: { value: { patch: [] } } }]],
      ['DELETE', `/openapi/v3/entity/dataset/${encodeURIComponent(dataset('orders'))}`, []],
    ];
    for (const [method, target, body] of openApi) {
      const sent = { method, target, body: stringifyJson(body), headers: by(ada) };
      expect([method, ...readMessage(await catalog.http.send(sent))]).toEqual([
        method,
        403,
        expect.stringMatching(/^This call is not permitted: no policy lets/),
      ]);
    }
    expect(await catalog.deps.store.readPartitionSequences()).toEqual(sequences);
    const { json } = await catalog.http.get('/operations/audit?status=403&count=50', by(OPERATOR));
    const records = at(json, 'records') as readonly JsonObject[];
    expect(new Set(records.map(({ call }) => call))).toEqual(
      new Set([
        ...calls.map(([target]) => `POST ${target.replace('?action=', ' ')}`),
        'DELETE /relationships',
        'POST /openapi/v3/entity/:entityType',
        'PATCH /openapi/v3/entity/:entityType',
        'DELETE /openapi/v3/entity/:entityType/:urn',
      ]),
    );
    expect(records.every(({ actor, outcome }) => actor === ADA && outcome === 'rejected')).toBe(true);
  });

  it('tell a caller what it may write before it writes', async () => {
    const rights = async (urn: string, token: string, query = '') => {
      const target = `/rights?urn=${encodeURIComponent(urn)}${query}`;
      const { status, json, body } = await catalog.http.get(target, by(token));
      if (status !== 200) throw new Error(body);
      return json;
    };
    const asked = '&aspects=globalTags,datasetProperties,ownership';
    for (const urn of [dataset('orders'), dataset('own'), dataset('new.never'), dataset('doomed')]) {
      const answer = await rights(urn, ada, asked);
      expect(at(answer, 'actor')).toBe(ADA);
      const aspects = at(answer, 'aspects') as unknown as {
        aspectName: string;
        mayWrite: boolean;
        reason?: string;
      }[];
      expect(aspects).toHaveLength(3);
      // A rejected write says the same; a permitted one would change what is asked next.
      for (const { aspectName, mayWrite, reason } of aspects) {
        expect(mayWrite).toBe(reason === undefined);
        if (mayWrite) continue;
        const value = aspectName === 'globalTags' ? TAGS : aspectName === 'ownership' ? { owners: [] } : {};
        expect(readMessage(await write(urn, aspectName, value))).toEqual([
          403,
          `This call is not permitted: ${reason ?? ''}`,
        ]);
      }
    }
    const may = async (urn: string, token: string) => {
      const answer = await rights(urn, token, asked);
      const aspects = at(answer, 'aspects') as unknown as { aspectName: string; mayWrite: boolean }[];
      return [
        ...aspects.flatMap(({ aspectName, mayWrite }) => (mayWrite ? [aspectName] : [])).sort(),
        ...(at(answer, 'mayDelete') === true ? ['delete'] : []),
      ];
    };
    const all = ['datasetProperties', 'globalTags', 'ownership'];
    expect(await may(dataset('orders'), ada)).toEqual(['globalTags']);
    expect(await may(dataset('own'), ada)).toEqual(all);
    expect(await may(dataset('new.never'), ada)).toEqual(all);
    expect(await may(dataset('doomed'), ada)).toEqual(['delete']);
    expect(await may(dataset('doomed'), OPERATOR)).toEqual([...all, 'delete']);
    const reader = await makeToken({ scopes: ['read'] });
    expect(await may(dataset('own'), reader)).toEqual([]);
    expect(at(await rights(dataset('own'), reader), 'aspects', '0', 'reason')).toContain(
      'needs the scope write',
    );
    const caller = await makeToken({
      scopes: ['read', 'write'],
      calls: ['GET /rights', 'POST /usageStats batchIngest'],
    });
    expect(at(await rights(dataset('own'), caller), 'aspects', '0', 'reason')).toContain(
      'POST /aspects ingestProposal is none of the calls',
    );
    expect((at(await rights(dataset('own'), ada), 'aspects') as JsonObject[]).length).toBeGreaterThan(30);
    const unknown = await catalog.http.get('/rights?urn=urn:li:tag:a&aspects=tagProperty', by(ada));
    expect([unknown.status, at(unknown.json, 'aspects')]).toEqual([200, []]);
    expect(unknown.headers['x-stratalog-warnings']).toContain('tagProperty');
    const tags = await makeToken({ scopes: ['read'], entityTypes: ['tag'] });
    expect(
      (await catalog.http.get(`/rights?urn=${encodeURIComponent(dataset('own'))}`, by(tags))).status,
    ).toBe(403);
    expect((await catalog.http.get('/rights?urn=nonsense', by(ada))).status).toBe(400);
  });

  it('permit users to create entities, and to delete them', async () => {
    expect((await write(dataset('new.a'), 'datasetProperties', PROPERTIES)).status).toBe(200);
    expect((await write(dataset('new.a'), 'datasetProperties', { description: 'y' })).status).toBe(403);
    expect((await write(dataset('other'), 'datasetProperties', PROPERTIES)).status).toBe(403);
    expect((await post('/entities?action=delete', { urn: dataset('doomed') })).status).toBe(200);
  });

  it('let no user extend their own rights by editing entities', async () => {
    const changes: readonly (readonly [string, string, JsonOutputObject])[] = [
      [
        policyUrn('own'),
        'dataHubPolicyInfo',
        { ...POLICIES.owning, description: '', type: 'METADATA', state: 'ACTIVE' },
      ],
      [ADA, 'roleMembership', { roles: ['urn:li:dataHubRole:Admin'] }],
      [ADA, 'groupMembership', { groups: [TEAM, 'urn:li:corpGroup:admins'] }],
    ];
    for (const [urn, aspectName, value] of changes) {
      expect(readMessage(await write(urn, aspectName, value))).toEqual([
        403,
        expect.stringMatching(/which needs MANAGE_(POLICIES|USERS_AND_GROUPS)$/),
      ]);
    }
  });

  it('hold in addition to the scopes and limits of a token', async () => {
    const reader = await makeToken({ scopes: ['read'] });
    const charts = await makeToken({ scopes: ['write'], entityTypes: ['chart'] });
    for (const [token, reason] of [
      [reader, 'needs the scope write'],
      [charts, 'is not of the entity types chart'],
    ] as const) {
      const answer = await write(dataset('own'), 'datasetProperties', PROPERTIES, token);
      expect(readMessage(answer)).toEqual([403, expect.stringContaining(reason)]);
    }
  });

  it('do not bind the scope admin, unless it speaks for another', async () => {
    const admin = await makeToken({ scopes: ['write', 'admin'] });
    expect((await write(dataset('free'), 'datasetProperties', PROPERTIES, admin)).status).toBe(200);
    const forAda = { ...by(OPERATOR), 'x-datahub-actor': ADA };
    const sent = { urn: dataset('free'), aspectName: 'status', value: { removed: false } };
    expect((await catalog.http.ingest({ ...sent, headers: forAda })).status).toBe(403);
    expect((await catalog.http.ingest({ ...sent, headers: by(OPERATOR) })).status).toBe(200);
    const target = `/relationships?urn=${encodeURIComponent(dataset('free'))}`;
    const remove = async (headers: Readonly<Record<string, string>>): Promise<number> =>
      (await catalog.http.send({ method: 'DELETE', target, headers })).status;
    expect([await remove(forAda), await remove(by(OPERATOR))]).toEqual([403, 200]);
  });

  it('follow changes within seconds', async () => {
    const urn = dataset('orders');
    expect((await write(urn, 'globalTags', TAGS)).status).toBe(200);
    expect((await post('/entities?action=delete', { urn: policyUrn('tagging') }, OPERATOR)).status).toBe(200);
    await until(async () => (await write(urn, 'globalTags', TAGS)).status === 403);
    const info = { ...POLICIES.paused, description: '', type: 'METADATA', state: 'ACTIVE' };
    expect((await write(policyUrn('paused'), 'dataHubPolicyInfo', info, OPERATOR)).status).toBe(200);
    await until(async () => (await write(urn, 'globalTags', TAGS)).status === 200);
  });
});
