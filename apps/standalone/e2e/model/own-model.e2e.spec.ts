import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InvalidModelError } from '@stratalog/domain';
import { allSteps, parseInSteps, stringifyJson } from '@stratalog/json';
import { collectEdges } from '@stratalog/registry';
import { until } from '@stratalog/testkit';
import { Site, type BootedCatalog } from '../testing/catalog/booted-catalog';
import { at } from '../testing/catalog/catalog-client';
import { SENSOR_MODEL, modelFolder } from '../testing/data/sensor-model';

const SENSOR = 'urn:li:sensor:T-800';
const EARLY = 'urn:li:sensor:T-600';
const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:kafka,readings,PROD)';

describe("a user's own model", () => {
  const folders = mkdtempSync(join(tmpdir(), 'stratalog-own-model-'));
  let site: Site;
  let catalog: BootedCatalog;
  const folderOf = (name: string, files: Readonly<Record<string, string>>): string =>
    modelFolder(folders, name, files);
  const own = folderOf('own', SENSOR_MODEL);
  const bootWith = (folder: string, more: Readonly<Record<string, string>> = {}) =>
    site.boot({ environment: { STRATALOG_MODELS: folder, ...more } });
  const toRejection = async (
    folder: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<string> => {
    const rejected = await bootWith(folder, more).catch((error: unknown) => error);
    expect(rejected).toBeInstanceOf(InvalidModelError);
    return (rejected as Error).message;
  };
  const source = { urn: DATASET, aspectName: 'sensorSource', value: { sensor: SENSOR } };

  beforeAll(async () => {
    site = await Site.create();
    catalog = await site.boot();
  });
  afterAll(async () => {
    await site.remove();
    rmSync(folders, { recursive: true });
  });

  it('is rejected while the model lacks it, or becomes a dead letter when asynchronous', async () => {
    await catalog.http.write(DATASET, 'status', { removed: false });
    const waited = await catalog.http.ingest(source);
    expect([waited.status, at(waited.json, 'message')]).toEqual([
      422,
      'Unknown aspect sensorSource for entity dataset',
    ]);

    const notWaited = await catalog.http.ingest({ ...source, parameters: { async: 'true' } });
    expect(notWaited.status).toBe(200);
    await catalog.http.write(DATASET, 'status', { removed: true });
    expect((await catalog.http.aspect(DATASET, 'sensorSource', 0)).status).toBe(404);
  });

  it('is treated alike where it is an entity type', async () => {
    const early = { urn: EARLY, aspectName: 'sensorInfo', value: { place: 'attic' } };
    const waited = await catalog.http.ingest(early);
    expect([waited.status, at(waited.json, 'message')]).toEqual([
      400,
      'Failed to find entity with name sensor in EntityRegistry',
    ]);
    const contradicting = { ...early, members: { entityType: 'sensors' }, parameters: { async: 'true' } };
    expect((await catalog.http.ingest(contradicting)).status).toBe(400);
    expect((await catalog.http.ingest({ ...early, parameters: { async: 'true' } })).status).toBe(200);
  });

  it('is loaded by a restart, which applies the dead letters, and needs no build', async () => {
    await catalog.stop();
    catalog = await bootWith(own);
    const { registry } = catalog.deps;
    expect(registry.aspect('sensorReading')).toMatchObject({
      kind: 'timeseries',
      timeseries: { fields: [{ name: 'degrees' }] },
    });
    await until(async () => (await catalog.http.aspect(DATASET, 'sensorSource')).status === 200);
    const { json } = await catalog.http.aspect(DATASET, 'sensorSource');
    expect(at(json, 'aspect', 'org.example.SensorSource', 'sensor')).toBe(SENSOR);
    await until(async () => (await catalog.http.aspect(EARLY, 'sensorInfo')).status === 200);
  });

  it('accepts, versions, reads and finds its aspects', async () => {
    await catalog.http.write(SENSOR, 'sensorInfo', { place: 'boiler room' });
    const position = await catalog.http.write(SENSOR, 'sensorInfo', { place: 'engine room', feeds: DATASET });
    const { json } = await catalog.http.entity(SENSOR);
    expect(at(json, 'aspects', 'sensorKey', 'value')).toEqual({ serial: 'T-800' });
    expect(at(json, 'aspects', 'sensorInfo', 'value')).toEqual({ feeds: DATASET, place: 'engine room' });
    expect((await catalog.http.aspect(SENSOR, 'sensorInfo', 1)).status).toBe(200);
    for (const query of ['engine', 'T-800', 'place:room', 'feeds:readings']) {
      const found = await catalog.http.find(query, { entity: 'sensor', waitFor: position });
      expect({ query, urns: found.urns }).toEqual({ query, urns: [SENSOR] });
    }
    const aspect = catalog.deps.registry.aspect('sensorInfo');
    if (aspect === undefined) throw new Error('the aspect is there');
    const parsed = allSteps(parseInSteps(stringifyJson({ place: '', feeds: DATASET })));
    const edges = allSteps(collectEdges(aspect, parsed, { urn: SENSOR, timeMs: 1, actor: SENSOR }));
    expect(edges).toMatchObject([{ relationship: 'Feeds', destination: DATASET }]);
  });

  it('is checked like the built-in one', async () => {
    const answer = await catalog.http.ingest({
      urn: SENSOR,
      aspectName: 'sensorInfo',
      value: { feeds: SENSOR },
    });
    expect(answer.status).toBe(422);
    expect(at(answer.json, 'message')).toContain('ERROR :: /feeds :: must be a urn of type dataset');
    expect(at(answer.json, 'message')).toContain('ERROR :: /place :: is required');
  });

  it('cannot be removed or broken while data of it are stored, unless a setting accepts it', async () => {
    await catalog.stop();
    const gone = await toRejection('');
    expect(gone).toContain('entity sensor: removed');
    expect(gone).toContain('entity dataset: aspect sensorSource removed');

    const broken = folderOf('broken', {
      ...SENSOR_MODEL,
      'SensorInfo.pdl': SENSOR_MODEL['SensorInfo.pdl'].replace('place: string', 'place: int'),
    });
    const rejection = await toRejection(broken);
    expect(rejection).toContain('org.example.SensorInfo.place: type string became int');
    const name = /STRATALOG_ACCEPT_MODEL=([0-9a-f]{12})/.exec(rejection)?.[1] ?? '';
    expect(await toRejection(broken, { STRATALOG_ACCEPT_MODEL: '0'.repeat(12) })).toBe(rejection);

    catalog = await bootWith(broken, { STRATALOG_ACCEPT_MODEL: name });
    await catalog.stop();
    catalog = await bootWith(broken);
    await catalog.stop();
  });

  it.each([
    [
      'a type twice',
      { 'Tag.pdl': 'namespace com.linkedin.common record GlobalTags {}' },
      /Tag\.pdl:1:\d+: com\.linkedin\.common\.GlobalTags is declared twice, first at .*GlobalTags\.pdl:\d+:\d+/,
    ],
    [
      'an aspect twice',
      { 'Mine.pdl': 'namespace org.example @Aspect = {"name": "status"} record Mine {}' },
      /Mine\.pdl:1:\d+: the aspect status is declared twice, first at .*Status\.pdl:\d+:\d+/,
    ],
    [
      'another key for an entity',
      { 'entity-registry.yml': 'entities: [{name: dataset, keyAspect: tagKey}]' },
      /entity-registry\.yml:1:\d+: the key aspect of dataset is datasetKey at .*entity-registry\.yml:\d+:\d+/,
    ],
    [
      'an aspect that nothing declares',
      { 'entity-registry.yml': 'entities: [{name: dataset, aspects: [nothing]}]' },
      /entity-registry\.yml:1:\d+: expected an aspect, but no record declares nothing/,
    ],
    [
      'a type that nothing declares',
      { 'Mine.pdl': 'namespace org.example record Mine { a: Nothing }' },
      /Mine\.pdl:1:\d+: expected a type, but nothing declares org\.example\.Nothing/,
    ],
  ])('is rejected with its places when it has %s', async (name, files, rejection) => {
    expect(await toRejection(folderOf(name, files))).toMatch(rejection);
  });
});

describe('with STRATALOG_UNKNOWN_ASPECTS=drop', () => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.create();
  });
  afterAll(async () => {
    await site.remove();
  });

  it('drops proposals that no model knows', async () => {
    const catalog = await site.boot({ environment: { STRATALOG_UNKNOWN_ASPECTS: 'drop' } });
    const sent = { urn: DATASET, aspectName: 'sensorSource', value: { sensor: SENSOR } };
    expect((await catalog.http.ingest({ ...sent, parameters: { async: 'true' } })).status).toBe(200);
    await catalog.http.write(DATASET, 'status', { removed: false });
    await catalog.stop();
    const folder = mkdtempSync(join(tmpdir(), 'stratalog-own-model-'));
    const own = modelFolder(folder, 'own', SENSOR_MODEL);
    const later = await site.boot({ environment: { STRATALOG_MODELS: own } });
    rmSync(folder, { recursive: true });
    expect(at((await later.http.get('/config')).json, 'models')).toEqual({
      own: { '0.0.0-dev': { loadResult: 'SUCCESS', failureCount: 0 } },
    });
    await later.http.write(DATASET, 'status', { removed: true });
    expect((await later.http.aspect(DATASET, 'sensorSource', 0)).status).toBe(404);
  });
});
