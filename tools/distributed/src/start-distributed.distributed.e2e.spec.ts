import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '@stratalog/runtime';
import { Command, START_MS } from './testing/command';
import { onTestServers } from './testing/test-servers';

const URN = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)';

describe('npm run start:distributed', () => {
  let database: ScratchDatabase;
  let command: Command | undefined;

  beforeEach(async () => {
    database = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
  });
  afterEach(async () => {
    await command?.end('SIGKILL');
    await database.drop();
  });

  it(
    'serves writes, reads and searches through the proxy, at the scale that is asked for, and stops in order',
    async () => {
      command = new Command('start-distributed', onTestServers(database.url), [
        '--port',
        '0',
        '--writers',
        '2',
        '--indexers',
        '2',
      ]);
      const url = await command.ready();
      expect([command.count('writer'), command.count('indexer'), command.count('query')]).toEqual([2, 2, 1]);

      const aspect = { value: '{"description":"Orders of the shop"}', contentType: 'application/json' };
      const written = await fetch(`${url}/aspects?action=ingestProposal`, {
        method: 'POST',
        body: JSON.stringify({
          proposal: {
            entityType: 'dataset',
            entityUrn: URN,
            changeType: 'UPSERT',
            aspectName: 'datasetProperties',
            aspect,
          },
        }),
      });
      expect([written.status, await written.json()]).toEqual([200, { value: URN }]);
      const read = await fetch(`${url}/entitiesV2/${encodeURIComponent(URN)}`);
      expect(await read.json()).toMatchObject({
        aspects: { datasetProperties: { value: { description: 'Orders of the shop' } } },
      });
      const found = await fetch(`${url}/gms/entities?action=search`, {
        method: 'POST',
        headers: { 'x-stratalog-wait-for': written.headers.get('x-stratalog-position') ?? '' },
        body: '{"input":"shop","entity":"dataset","start":0,"count":10}',
      });
      expect(await found.json()).toMatchObject({ value: { numEntities: 1, entities: [URN] } });
      expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: 'ready' });

      // Whichever app serves a route, the page and the document have it.
      const page = await (await fetch(`${url}/gms/restli/docs`)).text();
      const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object };
      expect(page).toContain('id="post-aspects-ingestProposal"');
      expect(Object.keys(paths)).toEqual(
        expect.arrayContaining(['/aspects', '/entities', '/schema-registry/api/subjects', '/openapi.json']),
      );

      const refused = await fetch(`${url}/aspects?action=ingestProposal`, {
        method: 'POST',
        body: '{"proposal":{"entityType":"dataset","entityUrn":"urn:li:dataset:x","changeType":"UPSERT"}}',
      });
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect(refused.status).toBeLessThan(500);
      expect(await command.end('SIGTERM')).toBe(0);
    },
    2 * START_MS,
  );

  it('says what is wrong with its arguments', async () => {
    command = new Command('start-distributed', onTestServers(database.url), [
      '--port',
      '0',
      '--writers',
      'x',
    ]);
    expect(await command.ended).toBe(2);
  });
});
