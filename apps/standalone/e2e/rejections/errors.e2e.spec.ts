import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ingestStage } from '@stratalog/stages-ingest';
import { queryStage } from '@stratalog/stages-query';
import { CATALOGUE, TAG, call, propose } from './error-catalogue';
import { Site, type BootedCatalog } from '../testing/catalog/booted-catalog';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';
import { expectAnswer, expectRejection, get, type WireCase } from '../testing/catalog/wire-case';

describe('the catalogue of errors', () => {
  const catalog = catalogForSuite();
  beforeAll(() => catalog.http.write(TAG, 'tagProperties', { name: 'there' }));

  describe.each(CATALOGUE)('%s', (_what, cases) => {
    it.each(cases.map((row) => [row.name, row] as const))('%s', async (_name, row) => {
      const before = await catalog.deps.store.readPartitionSequences();
      expectAnswer(row, await catalog.http.send(row.request));
      expect(await catalog.deps.store.readPartitionSequences()).toEqual(before);
    });
  });
});

describe('not authenticated', () => {
  const token = 'an-operators-token-of-our-own';
  const catalog = catalogForSuite({ environment: { STRATALOG_AUTH: 'all', STRATALOG_TOKEN: token } });

  it.each([
    ['no token', {}, 'This call needs a token'],
    ['an unknown token', { Authorization: 'Bearer None' }, 'The token of this call is unknown'],
  ])('%s', async (_name, headers, message) => {
    for (const request of [propose({}), get(`/entitiesV2/${TAG}`), get('/nowhere')]) {
      const answer = await catalog.http.send({ ...request, headers });
      expectRejection(answer, 401, message);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });
});

describe('failures', () => {
  let site: Site;
  let catalog: BootedCatalog;
  beforeAll(async () => {
    site = await Site.create();
    catalog = await site.boot({
      stages: [ingestStage, queryStage],
      environment: { STRATALOG_COMMIT_TIMEOUT_MS: '200', STRATALOG_LOG_LEVEL: 'silent' },
    });
  });
  afterAll(async () => {
    await site.remove();
  });

  const expectPassing = async (request: WireCase['request'], message: string): Promise<void> => {
    const answer = await catalog.http.send(request);
    expectRejection(answer, 503, message);
    expect(answer.headers['retry-after']).toBe('1');
  };

  it('failures of the writer: 503, and no data are lost', () =>
    expectPassing(propose({}), 'and will be applied, but was not within'));
  it('failures of the index: 503', () =>
    expectPassing(
      call('search', { input: '*', entity: 'tag', start: 0, count: 1 }),
      'The search index is being built',
    ));
  it('failures of the graph: 503', () =>
    expectPassing(call('deleteReferences', { urn: TAG }), 'The relationship graph is being built'));

  it('failures of the database: 500 with a reference, or 503', async () => {
    await site.dropDatabase();
    const requests = [get(`/entitiesV2/${TAG}`), call('exists', { urn: TAG }), propose({})];
    for (const answer of await Promise.all(requests.map((request) => catalog.http.send(request)))) {
      expect([500, 503]).toContain(answer.status);
      expectRejection(
        answer,
        answer.status,
        answer.status === 500 ? 'Internal server error (reference ' : '',
      );
      expect(at(answer.json, 'message')).not.toMatch(/postgres|scratch|select/i);
    }
  });
});
