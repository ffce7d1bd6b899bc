import { describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

describe('deletion', () => {
  const catalog = catalogForSuite();
  const remove = (urn: string, aspectName: string, parameters = {}): Promise<Answer> =>
    catalog.http.ingest({
      urn,
      aspectName,
      value: '',
      members: { changeType: 'DELETE', aspect: undefined },
      parameters,
    });
  const call = (action: string, body: JsonOutputObject): Promise<Answer> =>
    catalog.http.post(`/entities?action=${action}`, stringifyJson(body));
  const truncate = (body: JsonOutputObject): Promise<Answer> => call('delete', body);
  const namesOf = async (urn: string): Promise<readonly string[]> =>
    Object.keys(at((await catalog.http.entity(urn)).json, 'aspects') ?? {}).sort();
  const versionOf = async (urn: string, name: string) =>
    at((await catalog.http.entity(urn)).json, 'aspects', name, 'systemMetadata', 'version');

  it('deletion of an aspect removes it, keeps its history, and continues the version numbers', async () => {
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

  it('deletion of the key aspect removes the entity from reads and searches, and erases its values', async () => {
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

  it('deletion of an unknown aspect or entity is no error and changes nothing', async () => {
    const urn = 'urn:li:tag:never-written';
    for (const parameters of [{}, { async: 'true' }]) {
      expect((await remove(urn, 'tagProperties', parameters)).status).toBe(200);
      expect((await remove(urn, 'tagKey', parameters)).status).toBe(200);
    }
    expect((await catalog.http.aspect(urn, 'tagKey')).status).toBe(404);
  });

  it('is rejected like any other proposal', async () => {
    const rejected = await remove('urn:li:tag:x', 'datasetProperties');
    expect(rejected.status).toBe(422);
    expect(at(rejected.json, 'message')).toBe('Unknown aspect datasetProperties for entity tag');
  });

  it('deletion of an entity by its urn returns the number of erased versions', async () => {
    const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,by-urn,PROD)';
    await catalog.http.write(urn, 'datasetProperties', { description: 'okapi' });
    await catalog.http.write(urn, 'datasetProperties', { description: 'okapi again' });
    const answer = await truncate({ urn });
    // Key, platform instance, two kinds of browse paths, and two versions of the properties.
    expect([answer.status, answer.json]).toEqual([200, { value: { urn, rows: 6, timeseriesRows: 0 } }]);
    const waitFor = answer.headers['x-stratalog-position'];
    expect(await catalog.http.find('okapi', { waitFor })).toEqual({ total: 0, urns: [] });
    expect((await truncate({ urn })).json).toEqual({ value: { urn, rows: 0, timeseriesRows: 0 } });
    await catalog.http.write(urn, 'status', { removed: false });
    expect(at((await truncate({ urn })).json, 'value', 'rows')).toBe(5);
  });

  it('deletion of an unknown entity deletes nothing', async () => {
    const urn = 'urn:li:tag:nobody-ever';
    const answer = await truncate({ urn, aspectName: null, startTimeMillis: null, endTimeMillis: null });
    expect([answer.status, answer.json]).toEqual([200, { value: { urn, rows: 0, timeseriesRows: 0 } }]);
  });

  it.each<[string, JsonOutputObject, RegExp]>([
    ['no urn', {}, /^Parameter 'urn' is required$/],
    ['a null for the urn', { urn: null }, /^Parameter 'urn' is required$/],
    ['a number for the urn', { urn: 7 }, /'\/urn :: 7 is not a string'$/],
    ['a list for the urn', { urn: ['urn:li:tag:a'] }, /'\/urn :: a list is not a string'$/],
    ['no urn at all', { urn: 'nonsense' }, /^Invalid urn nonsense: /],
    ['an unknown entity type', { urn: 'urn:li:nothing:a' }, /^Failed to find entity with name nothing /],
    ['a urn that is too long', { urn: `urn:li:tag:${'x'.repeat(600)}` }, /^Invalid urn /],
    [
      'a number for the aspect',
      { urn: 'urn:li:tag:a', aspectName: 1 },
      /'\/aspectName :: 1 is not a string'$/,
    ],
    [
      'an aspect that is no timeseries',
      { urn: 'urn:li:tag:a', aspectName: 'tagProperties' },
      /Not supported for non-timeseries aspect tagProperties\./,
    ],
    [
      'an unknown aspect',
      { urn: 'urn:li:tag:a', aspectName: 'x' },
      /Not supported for non-timeseries aspect x\./,
    ],
    [
      'a text for a time',
      { urn: 'urn:li:tag:a', startTimeMillis: 'now' },
      /'\/startTimeMillis :: "now" is not/,
    ],
    [
      'bounds of points and no aspect',
      { urn: 'urn:li:tag:a', startTimeMillis: 1 },
      /^startTimeMillis and endTimeMillis choose values of one timeseries aspect; name it as aspectName$/,
    ],
    [
      'a time before all',
      { urn: 'urn:li:tag:a', endTimeMillis: -1 },
      /'\/endTimeMillis :: -1 is not an integer/,
    ],
  ])('deletion by urn is rejected with %s', async (_what, body, message) => {
    const answer = await truncate(body);
    expect(answer.status).toBe(400);
    expect(at(answer.json, 'message')).toMatch(message);
  });

  it('deletion that is soft leaves the entity out of searches only, and can be reverted', async () => {
    const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,soft,PROD)';
    const exists = async (includeSoftDelete: boolean) =>
      at((await call('exists', { urn, includeSoftDelete })).json, 'value');
    await catalog.http.write(urn, 'datasetProperties', { description: 'gnu' });
    const softDeleted = await catalog.http.write(urn, 'status', { removed: true });
    expect(await catalog.http.find('gnu', { waitFor: softDeleted })).toEqual({ total: 0, urns: [] });
    expect(await namesOf(urn)).toContain('datasetProperties');
    expect([await exists(true), await exists(false)]).toEqual([true, false]);
    const back = await catalog.http.write(urn, 'status', { removed: false });
    expect((await catalog.http.find('gnu', { waitFor: back })).urns).toEqual([urn]);
    expect(await exists(false)).toBe(true);
  });
});
