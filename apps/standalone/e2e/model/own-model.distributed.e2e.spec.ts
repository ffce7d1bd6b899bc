import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InvalidModelError } from '@stratalog/domain';
import { ingestStage } from '@stratalog/stages-ingest';
import { queryStage } from '@stratalog/stages-query';
import { until } from '@stratalog/testkit';
import { Site, type BootedCatalog, type BootOptions } from '../testing/catalog/booted-catalog';
import { at } from '../testing/catalog/catalog-client';
import { SENSOR_MODEL, modelFolder } from '../testing/data/sensor-model';
import { distributedSettings } from '../testing/catalog/distributed-settings';

const SENSOR = 'urn:li:sensor:T-800';
const LATE = 'urn:li:sensor:T-1000';
const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:kafka,readings,PROD)';
const WAIT_MS = limitMs(60_000);

describe("a user's own model on Kafka and a search engine", () => {
  const folders = mkdtempSync(join(tmpdir(), 'stratalog-own-model-'));
  const own = modelFolder(folders, 'own', SENSOR_MODEL);
  const name = `t${randomBytes(4).toString('hex')}`;
  let site: Site;
  let before: BootedCatalog;
  let after: BootedCatalog;

  const boot = (models: string, more: Partial<BootOptions> = {}): Promise<BootedCatalog> =>
    site.boot({
      ...more,
      environment: {
        ...distributedSettings(name),
        STRATALOG_TOKEN: 'the-token-of-the-operator',
        STRATALOG_MODELS: models,
      },
    });
  const send = async (
    catalog: BootedCatalog,
    urn: string,
    aspectName: string,
    value: Record<string, string>,
  ) => {
    const answer = await catalog.http.ingest({ urn, aspectName, value, parameters: { async: 'true' } });
    expect(answer.status).toBe(200);
  };

  beforeAll(async () => {
    site = await Site.create();
    before = await boot('');
  }, WAIT_MS);
  afterAll(async () => {
    await site.remove();
    rmSync(folders, { recursive: true });
  });

  it(
    'holds back early proposals until a process knows it, and an older writer leaves them to that process',
    async () => {
      await send(before, DATASET, 'sensorSource', { sensor: SENSOR });
      await send(before, SENSOR, 'sensorInfo', { place: 'engine room' });
      // Follows both in the log, so that both are processed.
      for (const urn of [DATASET, 'urn:li:tag:a', 'urn:li:tag:b', 'urn:li:tag:c'])
        await before.http.write(urn, 'status', { removed: false });

      const front = await boot(own, { stages: [ingestStage, queryStage] });
      await send(front, LATE, 'sensorInfo', { place: 'foundry' });
      await until(async () => (await before.health()).body.includes('newer model'), WAIT_MS);
      expect((await front.http.aspect(LATE, 'sensorInfo')).status).toBe(404);

      await before.stop();
      after = await boot(own);
      for (const [urn, aspectName] of [
        [DATASET, 'sensorSource'],
        [SENSOR, 'sensorInfo'],
        [LATE, 'sensorInfo'],
      ] as const)
        await until(async () => (await after.http.aspect(urn, aspectName)).status === 200, WAIT_MS);
      await front.stop();
    },
    3 * WAIT_MS,
  );

  it(
    'is versioned, read and found',
    async () => {
      const feeds = { place: 'boiler room', feeds: DATASET };
      const waitFor = await after.http.write(SENSOR, 'sensorInfo', feeds);
      const { json } = await after.http.entity(SENSOR);
      expect(at(json, 'aspects', 'sensorInfo', 'value')).toEqual(feeds);
      expect((await after.http.aspect(SENSOR, 'sensorInfo', 1)).status).toBe(200);
      expect((await after.http.find('boiler', { entity: 'sensor', waitFor })).urns).toEqual([SENSOR]);
    },
    WAIT_MS,
  );

  it(
    'cannot be removed while data of it are stored',
    async () => {
      await after.stop();
      const rejected: unknown = await boot('').catch((error: unknown) => error);
      expect(rejected).toBeInstanceOf(InvalidModelError);
      expect((rejected as Error).message).toContain('entity sensor: removed');
    },
    WAIT_MS,
  );
});
