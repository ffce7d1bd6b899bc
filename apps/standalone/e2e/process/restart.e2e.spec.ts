import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PartitionSequences } from '@stratalog/domain';
import { ingestStage } from '@stratalog/stages-ingest';
import { queryStage } from '@stratalog/stages-query';
import { until } from '@stratalog/testkit';
import { Site, type BootedCatalog } from '../testing/catalog/booted-catalog';
import { at, type CatalogClient } from '../testing/catalog/catalog-client';

const urns = Array.from(
  { length: 40 },
  (_, n) => `urn:li:dataset:(urn:li:dataPlatform:hive,kept.t${String(n)},PROD)`,
);

describe('a restart', () => {
  let site: Site;
  let catalog: BootedCatalog;
  beforeAll(async () => {
    site = await Site.create();
  });
  afterAll(async () => {
    await site.remove();
  });

  const writeAll = async (http: CatalogClient, round: number): Promise<void> => {
    for (const urn of urns) {
      await http.write(urn, 'datasetProperties', { description: `kept in round ${String(round)}` });
    }
  };
  const readAll = (http: CatalogClient): Promise<unknown[]> =>
    Promise.all(urns.map(async (urn) => (await http.entity(urn)).json));

  let sequences: PartitionSequences;
  let entities: unknown[];

  it('keeps everything and finds everything', async () => {
    catalog = await site.boot();
    await writeAll(catalog.http, 1);
    await writeAll(catalog.http, 2);
    sequences = await catalog.deps.store.readPartitionSequences();
    entities = await readAll(catalog.http);
    const { identity } = catalog.deps.store;
    await catalog.stop();

    catalog = await site.boot();
    expect(catalog.deps.store.identity).toEqual(identity);
    expect(await catalog.deps.store.readPartitionSequences()).toEqual(sequences);
    expect(await readAll(catalog.http)).toEqual(entities);
    await catalog.http.caughtUp();
    expect((await catalog.http.find('"round 2"')).total).toBe(urns.length);
    expect((await catalog.http.find('"round 1"')).total).toBe(0);
  });

  it('does not build the index again', async () => {
    const index = await catalog.deps.searchIndexes.live();
    await catalog.stop();
    catalog = await site.boot();
    expect((await catalog.deps.searchIndexes.live())?.name).toBe(index?.name);
  });

  it('makes no version of a repeated proposal', async () => {
    await writeAll(catalog.http, 2);
    expect(await catalog.deps.store.readPartitionSequences()).toEqual(sequences);
    for (const urn of urns.slice(0, 5)) {
      expect((await catalog.http.aspect(urn, 'datasetProperties', 2)).status).toBe(200);
      expect((await catalog.http.aspect(urn, 'datasetProperties', 3)).status).toBe(404);
    }
  });

  it('continues the version numbers', async () => {
    await catalog.stop();
    catalog = await site.boot();
    await writeAll(catalog.http, 3);
    for (const urn of urns) {
      const { json } = await catalog.http.entity(urn);
      expect(at(json, 'aspects', 'datasetProperties', 'systemMetadata', 'version')).toBe('3');
    }
    await catalog.http.caughtUp();
    expect((await catalog.http.find('"round 3"')).total).toBe(urns.length);
  });

  it('a restart with other partitions keeps those of the store', async () => {
    await catalog.stop();
    catalog = await site.boot({ environment: { STRATALOG_PARTITIONS: '3' } });
    expect(catalog.deps.store.identity.partitions).toBe(16);
    expect((await catalog.http.aspect(urns[0] ?? '', 'datasetProperties', 3)).status).toBe(200);
  });

  it('applies what was logged while no writer ran, in order, and only once', async () => {
    await catalog.stop();
    catalog = await site.boot({
      stages: [ingestStage, queryStage],
      environment: { STRATALOG_COMMIT_TIMEOUT_MS: '100' },
    });
    const urn = 'urn:li:tag:logged';
    for (const name of ['one', 'two', 'two']) {
      const logged = await catalog.http.ingest({
        urn,
        aspectName: 'tagProperties',
        value: { name },
        parameters: { async: 'true' },
      });
      expect(logged.status).toBe(200);
    }
    const awaited = await catalog.http.ingest({ urn, aspectName: 'tagProperties', value: { name: 'three' } });
    expect([awaited.status, awaited.headers['retry-after']]).toEqual([503, '1']);
    expect(at(awaited.json, 'message')).toMatch(
      /^The proposal is in the log \(partition \d+, offset \d+\) and will be applied, but was not within \d+ ms$/,
    );
    expect((await catalog.http.aspect(urn, 'tagProperties')).status).toBe(404);
    await catalog.stop();

    catalog = await site.boot();
    await until(async () => (await catalog.http.aspect(urn, 'tagProperties', 3)).status === 200);
    const names = [];
    for (const version of [1, 2, 3]) {
      const { json } = await catalog.http.aspect(urn, 'tagProperties', version);
      names.push(at(json, 'aspect', 'com.linkedin.tag.TagProperties', 'name'));
    }
    expect(names).toEqual(['one', 'two', 'three']);
    expect((await catalog.http.aspect(urn, 'tagProperties', 4)).status).toBe(404);
    await until(async () => (await catalog.http.find('three', { entity: 'tag' })).total === 1);
  });
});
