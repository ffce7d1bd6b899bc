import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CatalogStage } from '@stratalog/runtime';
import { graphStage } from '@stratalog/stages-graph';
import { ingestStage } from '@stratalog/stages-ingest';
import { writerStage } from '@stratalog/stages-writer';
import { dataset, tag, tags } from './edge-forms';
import { Site, type BootOptions, type BootedCatalog } from '../testing/catalog/booted-catalog';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import { askRelationships, relatedTo } from '../testing/data/relationships';

describe('relationships without an indexer', () => {
  let site: Site;
  const still: CatalogStage = {
    name: 'graph',
    open: async (deps) => ({ ...(await graphStage.open(deps)), consumers: [] }),
  };
  beforeAll(async () => {
    site = await Site.create();
  });
  afterAll(async () => {
    await site.remove();
  });

  /** Boots without a follower of the graph: the graph is missing or falls behind, so the catalog is not well, and answers all the same. */
  const bootStill = async (options: BootOptions): Promise<BootedCatalog> => {
    const catalog = await site.boot({ ...options, untilReady: false });
    await until(async () => (await catalog.http.get('/health/ready')).status === 200);
    return catalog;
  };

  it('are a 503 until the first graph is live, and when it does not reach the position in time', async () => {
    const stages = [ingestStage, writerStage, still];
    const environment = { STRATALOG_POSITION_TIMEOUT_MS: '100' };
    let catalog = await bootStill({ stages, environment });
    const question = { urn: tag('a'), direction: 'INCOMING', types: ['TaggedWith'] };
    const none = await askRelationships(catalog.http, question);
    expect([none.status, at(none.json, 'message')]).toEqual([503, 'The relationship graph is being built']);
    const target = `/relationships?urn=${tag('a')}`;
    expect((await catalog.http.send({ method: 'DELETE', target })).status).toBe(503);
    await catalog.http.write(dataset('first'), 'globalTags', tags('a'));
    await catalog.stop();

    catalog = await site.boot();
    expect((await relatedTo(catalog.http, question)).total).toBe(1);
    await catalog.stop();

    catalog = await bootStill({ stages, environment });
    const waitFor = await catalog.http.write(dataset('second'), 'status', { removed: false });
    const late = await askRelationships(catalog.http, { ...question, waitFor });
    expect([late.status, late.headers['retry-after']]).toEqual([503, '1']);
    expect(at(late.json, 'message')).toMatch(
      /^The relationship graph is \d changes behind the position after 100 ms$/,
    );
    const behind = await askRelationships(catalog.http, question);
    expect([behind.status, at(behind.json, 'total')]).toEqual([200, 1]);
    expect(Number(behind.headers['x-stratalog-lag'])).toBeGreaterThan(0);
    expect((await askRelationships(catalog.http, { ...question, waitFor: 'x' })).status).toBe(400);
    await catalog.stop();

    catalog = await site.boot();
    const there = await askRelationships(catalog.http, { ...question, waitFor });
    expect([there.status, there.headers['x-stratalog-lag']]).toEqual([200, '0']);
  });
});
