import { beforeAll, describe, expect, it } from '@jest/globals';
import { BODIES, MEMBERS } from './proposals';
import { READS } from './reads';
import { MAX_BODY_BYTES, TAG, URN, members, urn, value } from './rejected-case';
import { SEARCHES, search } from './searches';
import { URNS, VALUES } from './values';
import { catalogForSuite } from '../testing/catalog/suite-catalog';
import { expectRejection } from '../testing/catalog/wire-case';

describe('a rejected request', () => {
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
      const before = await catalog.deps.store.readPartitionSequences();
      expectRejection(await catalog.http.send(request), status, message);
      expect(await catalog.deps.store.readPartitionSequences()).toEqual(before);
      expect((await catalog.http.get('/health')).status).toBe(200);
    });
  });

  it('creates nothing of its entity', async () => {
    expect((await catalog.http.entity(URN)).json).toMatchObject({ aspects: { datasetKey: { version: 0 } } });
    expect((await catalog.http.aspect(URN, 'datasetKey')).status).toBe(404);
    expect(await catalog.deps.store.readEntity(URN)).toBeUndefined();
  });

  it('leaves stored values unchanged', async () => {
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

  it('is also rejected when asynchronous, except for an aspect that a later model may know', async () => {
    const before = await catalog.deps.store.readPartitionSequences();
    for (const [rejected, status, message] of [
      [{ urn: URN, aspectName: 'status', value: { removed: 'x' } }, 422, '/removed :: must be a boolean'],
      [{ urn: 'nonsense', aspectName: 'status', value: {} }, 400, 'Failed to find entity with name'],
    ] as const) {
      expectRejection(
        await catalog.http.ingest({ ...rejected, parameters: { async: 'true' } }),
        status,
        message,
      );
    }
    expect(await catalog.deps.store.readPartitionSequences()).toEqual(before);
  });
});
