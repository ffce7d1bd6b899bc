import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildBundles } from '@stratalog/harness';
import { partitionOf, stringifyJson, type JsonOutputObject } from '@stratalog/model';
import { createScratchDatabase, type ScratchDatabase } from '@stratalog/runtime';
import { until } from '@stratalog/testkit';
import type { CatalogClient } from '../testing/catalog/catalog-client';
import { CatalogProcess, DataFolder } from '../testing/catalog/catalog-process';
import { dataset, many } from '../testing/watched-catalog';

const WIDE = dataset('wide');
const PATCHES = 60;
const OTHERS = 40;
const PARTITIONS = 16;
/** The limit of the slowest other write. */
const MAX_WRITE_MS = 1_000;

interface TimedAnswer {
  readonly status: number;
  readonly tookMs: number;
}

describe('60 patches of a value of 7 MB in one asynchronous batch', () => {
  let folder: DataFolder;
  let database: ScratchDatabase;
  let catalog: CatalogProcess;
  let http: CatalogClient;
  beforeAll(async () => {
    buildBundles('apps/standalone/main');
    folder = new DataFolder();
    database = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    catalog = new CatalogProcess({ ...folder.environment, DATABASE_URL: database.url });
    http = await catalog.client();
    const customProperties = Object.fromEntries(many(700, (at) => [`k${String(at)}`, 'x'.repeat(10_000)]));
    await http.write(WIDE, 'datasetProperties', { customProperties });
  }, limitMs(120_000));
  afterAll(async () => {
    await catalog.stop('SIGTERM');
    await database.drop();
    folder.remove();
  });

  const patchOf = (key: string): JsonOutputObject => ({
    entityType: 'dataset',
    entityUrn: WIDE,
    changeType: 'PATCH',
    aspectName: 'datasetProperties',
    aspect: {
      value: stringifyJson([{ op: 'add', path: `/customProperties/${key}`, value: 'v' }]),
      contentType: 'application/json',
    },
  });

  const send = (name: string, count: number) =>
    http.post(
      '/aspects?action=ingestProposalBatch',
      stringifyJson({ proposals: many(count, (at) => patchOf(`${name}${String(at)}`)), async: 'true' }),
    );

  const hasVersion = async (version: number): Promise<boolean> =>
    (await http.aspect(WIDE, 'datasetProperties', version)).status === 200;

  async function writeOther(urn: string): Promise<TimedAnswer> {
    const beganAt = performance.now();
    const { status } = await http.ingest({ urn, aspectName: 'tagProperties', value: { name: 'other' } });
    return { status, tookMs: performance.now() - beganAt };
  }

  it(
    'delay no write of another entity, whatever its partition, and are all applied',
    async () => {
      const urns = many(OTHERS, (at) => `urn:li:tag:other${String(at)}`);
      expect(new Set(urns.map((urn) => partitionOf(urn, PARTITIONS)))).toContain(
        partitionOf(WIDE, PARTITIONS),
      );
      expect((await send('a', PATCHES)).status).toBe(200);
      const others: TimedAnswer[] = [];
      for (const urn of urns) others.push(await writeOther(urn));
      expect(await hasVersion(PATCHES + 1)).toBe(false);
      const times = others.map(({ tookMs }) => Math.round(tookMs)).sort((a, b) => a - b);
      process.stdout.write(`${stringifyJson({ otherWrites: times.length, slowestMs: times.at(-1) })}\n`);
      expect(others.map(({ status }) => status)).toEqual(urns.map(() => 200));
      expect(times.at(-1)).toBeLessThan(limitMs(MAX_WRITE_MS));
      await until(() => hasVersion(PATCHES + 1), limitMs(120_000));
    },
    limitMs(240_000),
  );

  it('60 patches of a value of 7 MB in one asynchronous batch are answered with 429 and the remedy when they are more than the catalog queues for one entity', async () => {
    const { status, body } = await send('b', 1_000);
    expect([status, body]).toEqual([
      429,
      expect.stringContaining('send the operations on one aspect as one patch'),
    ]);
    expect((await send('c', 1)).status).toBe(200);
  });
});
