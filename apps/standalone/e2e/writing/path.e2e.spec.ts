import { beforeAll, describe, expect, it } from '@jest/globals';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const OPERATIONS = 'urn:li:corpuser:unknown';
const PROPERTIES = 'com.linkedin.dataset.DatasetProperties';

function dataset(name: string, platform = 'hive'): string {
  return `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},PROD)`;
}

describe('a proposal on its way', () => {
  const catalog = catalogForSuite();

  describe('to the store', () => {
    const urn = dataset('path.versions');

    it('is answered with the urn when its version can be read', async () => {
      const before = Date.now();
      const answer = await catalog.http.ingest({
        urn,
        aspectName: 'datasetProperties',
        value: { description: 'one', customProperties: {}, unknownField: 1, uri: null },
        members: { systemMetadata: { lastObserved: 7, runId: 'run-1', pipelineName: 'nightly' } },
      });
      expect([answer.status, answer.json]).toEqual([200, { value: urn }]);

      const entity = await catalog.http.entity(urn);
      const stamp = { time: expect.any(Number), actor: OPERATIONS };
      const systemMetadata = {
        lastObserved: 7,
        runId: 'run-1',
        pipelineName: 'nightly',
        version: '1',
        aspectCreated: stamp,
        aspectModified: stamp,
      };
      expect(entity.json).toEqual({
        urn,
        entityName: 'dataset',
        aspects: {
          datasetKey: {
            name: 'datasetKey',
            type: 'VERSIONED',
            version: 0,
            value: { platform: 'urn:li:dataPlatform:hive', name: 'path.versions', origin: 'PROD' },
            created: { time: expect.any(Number), actor: OPERATIONS },
            systemMetadata,
          },
          datasetProperties: {
            name: 'datasetProperties',
            type: 'VERSIONED',
            version: 0,
            value: { description: 'one', customProperties: {} },
            created: { time: expect.any(Number), actor: OPERATIONS },
            systemMetadata,
          },
          dataPlatformInstance: expect.objectContaining({
            value: { platform: 'urn:li:dataPlatform:hive' },
            systemMetadata,
          }),
          browsePaths: expect.objectContaining({ value: { paths: ['/prod/hive/path'] } }),
          browsePathsV2: expect.objectContaining({ value: { path: [{ id: 'path' }] } }),
        },
      });
      const time = at(entity.json, 'aspects', 'datasetProperties', 'created', 'time');
      expect(time).toBeGreaterThanOrEqual(before);
      expect(time).toBeLessThanOrEqual(Date.now());
    });

    it('may name its entity by the key', async () => {
      const entityKeyAspect = {
        value: '{"origin":"PROD","platform":"urn:li:dataPlatform:hive","name":"path.by-key"}',
        contentType: 'application/json',
      };
      const answer = await catalog.http.ingest({
        urn: 'urn:li:dataset:',
        aspectName: 'status',
        value: { removed: false },
        members: { entityUrn: null, entityKeyAspect },
      });
      expect([answer.status, at(answer.json, 'value')]).toEqual([200, dataset('path.by-key')]);
      expect((await catalog.http.aspect(dataset('path.by-key'), 'status')).status).toBe(200);
    });

    it('becomes the next version, and all versions stay', async () => {
      await catalog.http.write(urn, 'datasetProperties', { description: 'two' });
      await catalog.http.write(urn, 'datasetProperties', { description: 'three' });
      const versions = [0, 1, 2, 3, -1, -2, -3];
      const answers = await Promise.all(
        versions.map((version) => catalog.http.aspect(urn, 'datasetProperties', version)),
      );
      const said = answers.map(({ json }) => [
        at(json, 'version'),
        at(json, 'aspect', PROPERTIES, 'description'),
      ]);
      expect(said).toEqual([
        [0, 'three'],
        [1, 'one'],
        [2, 'two'],
        [3, 'three'],
        [3, 'three'],
        [2, 'two'],
        [1, 'one'],
      ]);
      for (const version of [4, -4, 9_007_199_254_740_991]) {
        expect((await catalog.http.aspect(urn, 'datasetProperties', version)).status).toBe(404);
      }
    });

    it('a proposal on its way to the store that changes nothing makes no version and refreshes the observation', async () => {
      const sequences = await catalog.deps.store.readPartitionSequences();
      const value = ' { "description" : "three" , "customProperties":null, "unknown": [] }';
      for (const runId of ['run-8', 'run-9']) {
        const answer = await catalog.http.ingest({
          urn,
          aspectName: 'datasetProperties',
          value,
          members: { systemMetadata: { lastObserved: 1_900_000_000_000, runId } },
        });
        expect(answer.status).toBe(200);
        expect(answer.headers).toHaveProperty('x-stratalog-position');
      }
      expect(await catalog.deps.store.readPartitionSequences()).toEqual(sequences);
      expect((await catalog.http.aspect(urn, 'datasetProperties', 4)).status).toBe(404);
      const { json } = await catalog.http.entity(urn, '?aspects=List(datasetProperties)');
      expect(at(json, 'aspects', 'datasetProperties', 'systemMetadata')).toEqual({
        lastObserved: 1_900_000_000_000,
        runId: 'run-9',
        lastRunId: 'run-8',
        version: '3',
        aspectCreated: { time: expect.any(Number), actor: OPERATIONS },
        aspectModified: { time: expect.any(Number), actor: OPERATIONS },
      });
    });

    it('a proposal on its way to the store that spells the same value differently changes nothing', async () => {
      const own = dataset('path.spelling');
      const fields = (union: string) => ({
        schemaName: 's',
        platform: 'urn:li:dataPlatform:hive',
        version: 0,
        hash: '',
        platformSchema: { [union]: { tableSchema: '' } },
        fields: [],
      });
      await catalog.http.write(own, 'schemaMetadata', fields('com.linkedin.schema.MySqlDDL'));
      await catalog.http.write(own, 'schemaMetadata', fields('com.linkedin.pegasus2avro.schema.MySqlDDL'));
      await catalog.http.write(own, 'schemaMetadata', fields('MySqlDDL'));
      expect((await catalog.http.aspect(own, 'schemaMetadata', 2)).status).toBe(404);
      const { json } = await catalog.http.aspect(own, 'schemaMetadata', 1);
      expect(at(json, 'aspect', 'com.linkedin.schema.SchemaMetadata', 'platformSchema')).toEqual({
        'com.linkedin.schema.MySqlDDL': { tableSchema: '' },
      });
    });

    it('a proposal on its way to the store for a key aspect stores the values of the urn', async () => {
      const own = dataset('path.key');
      const answer = await catalog.http.ingest({
        urn: own,
        aspectName: 'datasetKey',
        value: { platform: 'urn:li:dataPlatform:other', name: 'other', origin: 'DEV' },
      });
      expect(answer.status).toBe(200);
      const { json } = await catalog.http.aspect(own, 'datasetKey');
      expect(json).toEqual({
        version: 0,
        aspect: {
          'com.linkedin.metadata.key.DatasetKey': {
            name: 'path.key',
            origin: 'PROD',
            platform: 'urn:li:dataPlatform:hive',
          },
        },
      });
      expect((await catalog.http.aspect(own, 'datasetKey', 2)).status).toBe(404);
    });

    it.each([
      ['true', 'true'],
      ['true as a boolean', true],
      ['TRUE', 'TRUE'],
    ])(
      'a proposal on its way to the store with async %s is answered without a position and arrives',
      async (_name, async) => {
        const own = dataset(`path.async.${String(async)}.${typeof async}`);
        const answer = await catalog.http.ingest({
          urn: own,
          aspectName: 'datasetProperties',
          value: { description: 'later' },
          parameters: { async },
        });
        expect([answer.status, answer.json]).toEqual([200, { value: own }]);
        expect(answer.headers).not.toHaveProperty('x-stratalog-position');
        // The same log partition applies this proposal after it.
        await catalog.http.write(own, 'status', { removed: false });
        expect((await catalog.http.aspect(own, 'datasetProperties', 1)).status).toBe(200);
      },
    );

    it.each([
      ['false', 'false'],
      ['false as a boolean', false],
      ['null', null],
    ])(
      'a proposal on its way to the store with async %s is answered when it is committed',
      async (_name, async) => {
        const own = dataset(`path.sync.${String(async)}.${typeof async}`);
        const answer = await catalog.http.ingest({
          urn: own,
          aspectName: 'datasetProperties',
          value: { description: 'now' },
          parameters: { async },
        });
        expect(answer.headers).toHaveProperty('x-stratalog-position');
      },
    );
  });

  describe('to the index', () => {
    const orders = dataset('shop.OrderItems', 'postgres');
    const revenue = dataset('mart.revenue_daily', 'snowflake');
    const costs = dataset('mart.costs_daily', 'snowflake');

    beforeAll(async () => {
      await catalog.http.write(orders, 'datasetProperties', {
        description: 'Every sold bicycle, one row each',
      });
      await catalog.http.write(orders, 'globalTags', { tags: [{ tag: 'urn:li:tag:zonal' }] });
      await catalog.http.write(costs, 'datasetProperties', { description: 'Revenue minus the net costs' });
      await catalog.http.write(revenue, 'datasetProperties', {
        description: 'The net revenue of bicycles by day',
        customProperties: { team: 'finance' },
      });
      await catalog.http.caughtUp();
    });

    it.each([
      ['a word, whatever its form', 'bicycle', [orders, revenue]],
      ['a word, whatever its case', 'BICYCLES', [orders, revenue]],
      ['all words, in any order', 'net revenue', [costs, revenue]],
      ['a phrase', '"net revenue"', [revenue]],
      ['a phrase that is nowhere', '"revenue net"', []],
      ['a prefix', 'bicyc*', [orders, revenue]],
      ['part of a name', 'OrderItems', [orders]],
      ['a word of a camel-case name', 'items', [orders]],
      ['a word of a name with underscores', 'daily', [costs, revenue]],
      ['a field and its value', 'tags:urn:li:tag:zonal', [orders]],
      ['a field and a quoted value', 'tags:"urn:li:tag:zonal"', [orders]],
      ['a field and a value that is not there', 'tags:urn:li:tag:other', []],
      ['a field by entry of its map', 'customProperties:"team=finance"', [revenue]],
      ['a word without another', 'revenue -net', []],
      ['one word or another', 'items OR costs', [orders, costs]],
      ['its urn', `"${revenue}"`, [revenue]],
    ])('is found by %s', async (_name, input, urns) => {
      const found = await catalog.http.find(input);
      expect({ total: found.total, urns: [...found.urns].sort() }).toEqual({
        total: urns.length,
        urns: [...urns].sort(),
      });
    });

    it('is found with its matched fields, in the contract’s shape', async () => {
      const answer = await catalog.http.search('"net revenue"', { count: 5 });
      expect(answer.json).toEqual({
        value: {
          numEntities: 1,
          pageSize: 5,
          from: 0,
          entities: [revenue],
          metadata: {
            urns: [revenue],
            matches: [
              { matchedFields: [{ name: 'description', value: 'The net revenue of bicycles by day' }] },
            ],
            searchResultMetadatas: [
              { name: 'origin', aggregations: { PROD: 1 } },
              { name: 'platform', aggregations: { 'urn:li:dataPlatform:snowflake': 1 } },
              { name: '_entityType', aggregations: { dataset: 1 } },
              { name: '_entityType␞typeNames', aggregations: { dataset: 1 } },
            ],
            aggregations: expect.arrayContaining([
              {
                name: 'platform',
                displayName: 'Platform',
                aggregations: { 'urn:li:dataPlatform:snowflake': 1 },
                filterValues: [
                  {
                    value: 'urn:li:dataPlatform:snowflake',
                    entity: 'urn:li:dataPlatform:snowflake',
                    facetCount: 1,
                  },
                ],
              },
            ]) as unknown,
            suggestions: [],
          },
        },
      });
    });

    it('is found as an object by clients that speak protocol 2.0.0', async () => {
      const answer = await catalog.http.search('"net revenue"', {
        headers: { 'X-RestLi-Protocol-Version': '2.0.0' },
      });
      expect(at(answer.json, 'value', 'entities')).toEqual([
        {
          entity: revenue,
          matchedFields: [{ name: 'description', value: 'The net revenue of bicycles by day' }],
          score: expect.any(Number),
        },
      ]);
    });

    it('is found under its newest value only', async () => {
      const urn = dataset('path.renewed');
      await catalog.http.write(urn, 'datasetProperties', { description: 'formerly' });
      const second = await catalog.http.write(urn, 'datasetProperties', { description: 'nowadays' });
      expect((await catalog.http.find('nowadays', { waitFor: second })).urns).toEqual([urn]);
      expect((await catalog.http.find('formerly')).total).toBe(0);
    });

    it('is left out of searches by a soft delete and returns', async () => {
      const urn = dataset('path.vanishing');
      await catalog.http.write(urn, 'datasetProperties', { description: 'xylophone' });
      const softDeleted = await catalog.http.write(urn, 'status', { removed: true });
      expect(await catalog.http.find('xylophone', { waitFor: softDeleted })).toEqual({ total: 0, urns: [] });
      expect((await catalog.http.aspect(urn, 'datasetProperties')).status).toBe(200);
      expect(at((await catalog.http.entity(urn)).json, 'aspects', 'status', 'value')).toEqual({
        removed: true,
      });
      const shown = await catalog.http.write(urn, 'status', { removed: false });
      expect(await catalog.http.find('xylophone', { waitFor: shown })).toEqual({ total: 1, urns: [urn] });
    });

    it('is counted exactly, page by page and by platform', async () => {
      const urns = Array.from({ length: 23 }, (_, n) =>
        dataset(`pages.t${String(n)}`, n % 4 === 0 ? 'kafka' : 's3'),
      );
      for (const urn of urns) {
        await catalog.http.write(urn, 'datasetProperties', { description: 'paginated' });
      }
      await catalog.http.caughtUp();
      const pages = await Promise.all(
        [0, 10, 20, 30].map((start) => catalog.http.search('paginated', { start, count: 10 })),
      );
      const entities = pages.map(({ json }) => at(json, 'value', 'entities') as string[]);
      expect(entities.map(({ length }) => length)).toEqual([10, 10, 3, 0]);
      expect(entities.flat().sort()).toEqual([...urns].sort());
      for (const [n, { json }] of pages.entries()) {
        expect(at(json, 'value')).toMatchObject({ numEntities: 23, pageSize: 10, from: n * 10 });
        expect(at(json, 'value', 'metadata', 'searchResultMetadatas')).toContainEqual({
          name: 'platform',
          aggregations: { 'urn:li:dataPlatform:s3': 17, 'urn:li:dataPlatform:kafka': 6 },
        });
      }
      expect((await catalog.http.search('paginated', { count: 0 })).json).toMatchObject({
        value: { numEntities: 23, pageSize: 0, entities: [] },
      });
    });

    it('is found at any size', async () => {
      const urn = dataset('path.large');
      const tags = Array.from({ length: 1_000 }, (_, n) => ({ tag: `urn:li:tag:large${String(n)}` }));
      const customProperties = Object.fromEntries(
        Array.from({ length: 3_000 }, (_, n) => [`key${String(n)}`, 'x'.repeat(200)]),
      );
      const description = `capybara ${'a word of the description '.repeat(20_000)}`;
      await catalog.http.write(urn, 'subTypes', { typeNames: ['with a NUL \u0000', ''] });
      await catalog.http.write(urn, 'datasetProperties', { description, customProperties });
      await catalog.http.write(urn, 'globalTags', { tags });
      await catalog.http.caughtUp();
      for (const input of ['capybara', 'tags:urn:li:tag:large999', '"path.large"']) {
        expect(await catalog.http.find(input)).toEqual({ total: 1, urns: [urn] });
      }
    });

    it('is found among its own entity type only', async () => {
      const position = await catalog.http.write('urn:li:tag:zebra', 'tagProperties', { name: 'zebra' });
      expect(await catalog.http.find('zebra', { entity: 'tag', waitFor: position })).toEqual({
        total: 1,
        urns: ['urn:li:tag:zebra'],
      });
      expect((await catalog.http.find('zebra', { entity: 'TAG' })).total).toBe(1);
      expect((await catalog.http.find('zebra')).total).toBe(0);
    });
  });
});
