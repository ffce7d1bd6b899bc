import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonOutputObject } from '@stratalog/json';
import { GuardedCatalog } from './testing/guarded-catalog';
import { OPERATOR, type Answered } from './testing/guarded-client';
import { tokenTable } from './testing/token-table';

const HIVE = 'urn:li:dataset:(urn:li:dataPlatform:hive,guarded,PROD)';
const KAFKA = 'urn:li:dataset:(urn:li:dataPlatform:kafka,guarded,PROD)';
const TAG = 'urn:li:tag:guarded';
const ADA = 'urn:li:corpuser:ada';
const HOUR_SECONDS = 3_600;

let catalog: GuardedCatalog;
beforeAll(async () => {
  catalog = await GuardedCatalog.start();
});
afterAll(() => catalog.stop());

const toProposal = (entityUrn: string, changeType = 'UPSERT'): JsonOutputObject => {
  const entityType = entityUrn.split(':')[2] ?? '';
  const aspectName = entityType === 'tag' ? 'tagProperties' : 'status';
  const value = entityType === 'tag' ? '{"name":"guarded"}' : '{"removed":false}';
  const aspect = { value, contentType: 'application/json' };
  return { entityType, entityUrn, changeType, aspectName, ...(changeType === 'DELETE' ? {} : { aspect }) };
};
const write = (token: string, urn: string, headers = {}): Promise<Answered> =>
  catalog.post('/aspects?action=ingestProposal', token, { proposal: toProposal(urn) }, headers);

describe('the table of every route and every caller', () => {
  tokenTable({
    client: () => catalog,
    places: [
      ['the catalog', () => catalog.url],
      ['the proxy', () => catalog.proxyUrl],
    ],
  });
});

describe('a token', () => {
  it('is shown once, listed without its secret, and recorded as used', async () => {
    const { id, token } = await catalog.makeToken({
      name: 'listed',
      scopes: ['read'],
      expiresInSeconds: HOUR_SECONDS,
    });
    expect((await catalog.send('/entitiesV2?ids=List()', token)).status).toBe(200);
    const { json } = await catalog.send('/operations/tokens?count=1000', OPERATOR);
    expect(JSON.stringify(json)).not.toContain(token.slice('slg_'.length + id.length + 1));
    const listed = (json.tokens as JsonObject[]).find((each) => each.id === id);
    expect(listed).toEqual({
      id,
      name: 'listed',
      actor: 'urn:li:corpuser:admin',
      scopes: ['read'],
      speaksForOthers: false,
      state: 'valid',
      createdMillis: expect.any(Number),
      createdBy: 'urn:li:corpuser:admin',
      expiresMillis: expect.any(Number),
      lastUsedMillis: expect.any(Number),
    });
  });

  it('ends with its revocation, and changes its secret by a rotation', async () => {
    const { id, token } = await catalog.makeToken({ scopes: ['read'] });
    const read = async (secret: string) => (await catalog.send('/entitiesV2?ids=List()', secret)).status;
    expect(await read(token)).toBe(200);
    const second = (await catalog.administer('rotateToken', { id })).token;
    expect([await read(token), await read(second)]).toEqual([401, 200]);
    const third = (await catalog.administer('rotateToken', { id, overlapSeconds: HOUR_SECONDS })).token;
    expect([await read(second), await read(third)]).toEqual([200, 200]);
    await catalog.administer('revokeToken', { id });
    expect([await read(second), await read(third)]).toEqual([401, 401]);
    expect((await catalog.post('/operations?action=rotateToken', OPERATOR, { id })).status).toBe(404);
  });

  it.each([
    [{ scopes: [] }, "Parameter 'scopes' is empty"],
    [{ scopes: ['root'] }, '"root"'],
    [{ scopes: ['read'], name: ' ' }, "Parameter 'name' is empty"],
    [{ scopes: ['read'], actor: 'ada' }, "Parameter 'actor' is"],
    [{ scopes: ['read'], entityTypes: ['datset'] }, 'did you mean dataset?'],
  ])('is not made from %j', async (members, reason) => {
    const request = { name: 'faulty', ...members };
    const { status, json } = await catalog.post('/operations?action=createToken', OPERATOR, request);
    expect([status, json.message]).toEqual([400, expect.stringContaining(reason)]);
  });

  it('gives its actor to the audit stamp; only some may name another', async () => {
    const actorAfter = async (token: string, name: string): Promise<unknown> => {
      const urn = `urn:li:tag:${name}`;
      expect((await write(token, urn, { 'x-datahub-actor': 'urn:li:corpuser:grace' })).status).toBe(200);
      const { json } = await catalog.send(`/entitiesV2/${urn}`, OPERATOR);
      return (json as { aspects?: { tagProperties?: { created?: { actor?: unknown } } } }).aspects
        ?.tagProperties?.created?.actor;
    };
    const own = await catalog.makeToken({ scopes: ['write'], actor: ADA });
    const speaker = await catalog.makeToken({ scopes: ['write'], actor: ADA, speaksForOthers: true });
    expect(await actorAfter(own.token, 'by-ada')).toBe(ADA);
    expect(await actorAfter(speaker.token, 'by-grace')).toBe('urn:li:corpuser:grace');
  });

  it('a token with the scope write deletes nothing, by whatever call', async () => {
    const { token } = await catalog.makeToken({ name: 'writer', scopes: ['write'] });
    expect((await write(token, TAG)).status).toBe(200);
    const deletion = toProposal(TAG, 'DELETE');
    const policy = {
      entityUrn: 'urn:li:dataHubRetention:(*,*)',
      entityType: 'dataHubRetention',
      aspectName: 'dataHubRetentionConfig',
      changeType: 'UPSERT',
      aspect: {
        value: '{"retention":{"version":{"maxVersions":1}}}',
        contentType: 'application/json',
      },
    };
    const calls: readonly (readonly [string, JsonOutputObject])[] = [
      ['/aspects?action=ingestProposal', { proposal: deletion }],
      ['/aspects?action=ingestProposal', { proposal: deletion, async: true }],
      ['/aspects?action=ingestProposalBatch', { proposals: [toProposal(TAG), deletion] }],
      ['/aspects?action=ingestProposal', { proposal: policy }],
      ['/entities?action=delete', { urn: TAG }],
      ['/runs?action=rollback', { runId: 'x', dryRun: true }],
    ];
    for (const [target, body] of calls) {
      const { status, json } = await catalog.post(target, token, body);
      expect([target, status, json.message]).toEqual([
        target,
        403,
        expect.stringMatching(/needs the scope operate; token "writer" \([0-9a-f]{12}\) has write$/),
      ]);
    }
    expect((await catalog.send(`/aspects/${TAG}?aspect=tagProperties`, OPERATOR)).status).toBe(200);
  });
});

describe('a limited token', () => {
  const limited = (members: JsonOutputObject) => catalog.makeToken({ scopes: ['read', 'write'], ...members });
  const awaitStatus = async (answer: Promise<Answered>): Promise<number> => (await answer).status;

  it('writes only what it may, in single and batch calls, all or nothing', async () => {
    const { token } = await limited({ entityTypes: ['dataset'], platforms: ['kafka'] });
    expect(await awaitStatus(write(token, KAFKA))).toBe(200);
    for (const urn of [HIVE, TAG]) {
      const { status, json } = await write(token, urn);
      expect([status, json.message]).toEqual([
        403,
        expect.stringContaining(`${urn} is not of the entity types dataset and of the platforms kafka`),
      ]);
    }
    const other = KAFKA.replace('guarded', 'other');
    const batch = { proposals: [toProposal(other), toProposal(HIVE)] };
    expect(await awaitStatus(catalog.post('/aspects?action=ingestProposalBatch', token, batch))).toBe(403);
    const snapshot = (urn: string): JsonOutputObject => ({
      value: { 'com.linkedin.metadata.snapshot.DatasetSnapshot': { urn, aspects: [] } },
    });
    const entities = [snapshot(other), snapshot(HIVE)];
    expect(await awaitStatus(catalog.post('/entities?action=batchIngest', token, { entities }))).toBe(403);
    const exists = await catalog.post('/entities?action=exists', OPERATOR, { urn: other });
    expect(exists.json).toEqual({ value: false });
    expect(
      await awaitStatus(catalog.post('/entities?action=ingest', token, { entity: snapshot(other) })),
    ).toBe(200);
  });

  it('reads only what it may', async () => {
    const { token } = await limited({ entityTypes: ['dataset'] });
    const search = (entity: string) => catalog.post('/entities?action=search', token, { ...SEARCH, entity });
    const across = (entities: string[]) =>
      catalog.post('/entities?action=searchAcrossEntities', token, { ...SEARCH, entities });
    const SEARCH = { input: '*', start: 0, count: 1 };
    const statuses = await Promise.all(
      [
        catalog.send(`/entitiesV2/${encodeURIComponent(HIVE)}`, token),
        catalog.send(`/entitiesV2/${TAG}`, token),
        catalog.send(`/entitiesV2?ids=List(${encodeURIComponent(HIVE)},${TAG})`, token),
        search('dataset'),
        search('tag'),
        across(['dataset']),
        across(['dataset', 'tag']),
        across([]),
        catalog.send(`/relationships?urn=${TAG}&direction=INCOMING&types=List(TaggedWith)`, token),
        catalog.post('/runs?action=list', token, {}),
      ].map(awaitStatus),
    );
    expect(statuses).toEqual([200, 403, 403, 200, 403, 200, 403, 403, 403, 403]);
  });

  it('makes only the calls that it may', async () => {
    const { token } = await limited({ calls: ['POST /aspects ingestProposal'] });
    expect(await awaitStatus(write(token, TAG))).toBe(200);
    const { status, json } = await catalog.send(`/entitiesV2/${TAG}`, token);
    expect([status, json.message]).toEqual([
      403,
      expect.stringContaining('GET /entitiesV2/:urn is none of the calls'),
    ]);
  });
});
