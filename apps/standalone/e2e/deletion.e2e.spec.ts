import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Site, type BootedCatalog } from './testing/booted-catalog';
import { at } from './testing/catalog-client';
import type { Answer } from './testing/raw-http';

describe('deletion', () => {
  let site: Site;
  let catalog: BootedCatalog;
  const remove = (urn: string, aspectName: string, parameters = {}): Promise<Answer> =>
    catalog.http.ingest({
      urn,
      aspectName,
      value: '',
      members: { changeType: 'DELETE', aspect: undefined },
      parameters,
    });
  const namesOf = async (urn: string): Promise<readonly string[]> =>
    Object.keys(at((await catalog.http.entity(urn)).json, 'aspects') ?? {}).sort();
  const versionOf = async (urn: string, name: string) =>
    at((await catalog.http.entity(urn)).json, 'aspects', name, 'systemMetadata', 'version');

  beforeAll(async () => {
    site = await Site.create();
    catalog = await site.boot();
  });
  afterAll(async () => {
    await site.remove();
  });

  it('of an aspect takes it away, keeps its history, and goes on numbering', async () => {
    const urn = 'urn:li:tag:one-aspect';
    await catalog.http.write(urn, 'tagProperties', { name: 'first' });
    const answer = await remove(urn, 'tagProperties');
    expect([answer.status, answer.json]).toEqual([200, { value: urn }]);
    expect(await namesOf(urn)).toEqual(['tagKey']);
    expect((await catalog.http.aspect(urn, 'tagProperties')).status).toBe(404);
    expect((await catalog.http.aspect(urn, 'tagProperties', 2)).status).toBe(404);
    expect((await catalog.http.aspect(urn, 'tagProperties', 1)).status).toBe(200);

    await catalog.http.write(urn, 'tagProperties', { name: 'second' });
    expect(await versionOf(urn, 'tagProperties')).toBe('3');
  });

  it('of the key aspect takes the entity away, from reads and searches, and erases its values', async () => {
    const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,deletable,PROD)';
    const written = await catalog.http.write(urn, 'datasetProperties', { description: 'zebra' });
    expect((await catalog.http.find('zebra', { waitFor: written })).urns).toEqual([urn]);

    const gone = (await remove(urn, 'datasetKey')).headers['x-stratalog-position'];
    expect(await catalog.http.find('zebra', { waitFor: gone })).toEqual({ total: 0, urns: [] });
    expect(await catalog.http.find('deletable', { waitFor: gone })).toEqual({ total: 0, urns: [] });
    expect((await catalog.http.aspect(urn, 'datasetKey')).status).toBe(404);
    expect((await catalog.http.aspect(urn, 'datasetProperties', 1)).status).toBe(404);
    expect(await namesOf(urn)).toEqual(['datasetKey']);

    const back = await catalog.http.write(urn, 'datasetProperties', { description: 'quagga' });
    expect((await catalog.http.find('deletable', { waitFor: back })).urns).toEqual([urn]);
    expect(await catalog.http.find('zebra', { waitFor: back })).toEqual({ total: 0, urns: [] });
    expect(await namesOf(urn)).toEqual([
      'browsePaths',
      'browsePathsV2',
      'dataPlatformInstance',
      'datasetKey',
      'datasetProperties',
    ]);
    expect(await versionOf(urn, 'datasetProperties')).toBe('3');
    expect(await versionOf(urn, 'browsePaths')).toBe('3');
  });

  it('of what is not there is no error and changes nothing', async () => {
    const urn = 'urn:li:tag:never-written';
    for (const parameters of [{}, { async: 'true' }]) {
      expect((await remove(urn, 'tagProperties', parameters)).status).toBe(200);
      expect((await remove(urn, 'tagKey', parameters)).status).toBe(200);
    }
    expect((await catalog.http.aspect(urn, 'tagKey')).status).toBe(404);
  });

  it('is refused like any other proposal', async () => {
    const refused = await remove('urn:li:tag:x', 'datasetProperties');
    expect(refused.status).toBe(422);
    expect(at(refused.json, 'message')).toBe('Unknown aspect datasetProperties for entity tag');
  });
});
