import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson } from '@stratalog/json';
import { Site, type BootedCatalog } from '../testing/catalog/booted-catalog';
import { at } from '../testing/catalog/catalog-client';

const OPERATOR = { authorization: 'Bearer operator-of-upgrades' };
const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:postgres,shop.${name},PROD)`;

describe('a store of the first commit with frozen migrations', () => {
  let site: Site;
  let catalog: BootedCatalog;
  beforeAll(async () => {
    site = await Site.create();
    await site.execute(
      gunzipSync(readFileSync(join(import.meta.dirname, 'store-8c352925.sql.gz'))).toString(),
    );
    catalog = await site.boot({ environment: { STRATALOG_TOKEN: 'operator-of-upgrades' } });
  });
  afterAll(async () => {
    await site.remove();
  });

  it('keeps the latest version and every earlier one', async () => {
    const latest = await catalog.http.aspect(dataset('orders'), 'datasetProperties');
    const first = await catalog.http.aspect(dataset('orders'), 'datasetProperties', 1);
    const properties = ['aspect', 'com.linkedin.dataset.DatasetProperties', 'description'];
    expect(at(latest.json, ...properties)).toBe('Orders of the shop, one a row');
    expect(at(first.json, ...properties)).toBe('Orders of the shop');
    const owners = await catalog.http.aspect(dataset('orders'), 'ownership');
    expect(at(owners.json, 'aspect', 'com.linkedin.common.Ownership', 'owners')).toMatchObject([
      { owner: 'urn:li:corpuser:ann' },
    ]);
  });

  it('keeps deleted entities deleted', async () => {
    expect((await catalog.http.aspect(dataset('gone'), 'datasetProperties')).status).toBe(404);
    expect((await catalog.http.find('old OR gone')).urns).toEqual([]);
  });

  it('keeps timeseries values', async () => {
    const answer = await catalog.http.post(
      '/aspects?action=getTimeseriesAspectValues',
      stringifyJson({ urn: dataset('orders'), entity: 'dataset', aspect: 'datasetProfile', limit: 10 }),
    );
    expect(at(answer.json, 'value', 'values')).toHaveLength(3);
  });

  it('finds and relates what was there, and what is written from now on', async () => {
    await catalog.http.caughtUp();
    expect((await catalog.http.find('"one a row"')).urns).toEqual([dataset('orders')]);
    const related = await catalog.http.get(
      `/relationships?urn=${encodeURIComponent(dataset('orders'))}&types=List(DownstreamOf)&direction=INCOMING`,
    );
    expect(at(related.json, 'relationships')).toMatchObject([{ entity: dataset('sales') }]);
    const waitFor = await catalog.http.write(dataset('orders'), 'datasetProperties', {
      description: 'written today',
    });
    expect((await catalog.http.find('"written today"', { waitFor })).urns).toEqual([dataset('orders')]);
    const kept = await catalog.http.aspect(dataset('orders'), 'datasetProperties', 2);
    expect(stringifyJson(kept.json)).toContain('one a row');
  });

  it('keeps tokens and the records of calls', async () => {
    const tokens = await catalog.http.get('/operations/tokens', OPERATOR);
    expect(stringifyJson(tokens.json)).toContain('"reports"');
    const session = await site.session();
    try {
      expect(await session.query('select from audit_record')).not.toEqual([]);
    } finally {
      await session.end();
    }
  });
});
