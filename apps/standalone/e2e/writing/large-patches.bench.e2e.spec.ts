import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildBundles } from '@stratalog/harness';
import { partitionOf } from '@stratalog/domain';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { createScratchDatabase, type ScratchDatabase } from '@stratalog/runtime';
import type { CatalogClient } from '../testing/catalog/catalog-client';
import { CatalogProcess, DataFolder } from '../testing/catalog/catalog-process';
import { dataset, many } from '../testing/watched-catalog';

const WIDE = dataset('wide');
const PARTITIONS = 16;
const PATCHES = 60;
/** Minimum number of other writes, one after another, while the patches are applied. */
const MIN_OTHERS = 40;
/** The limit of the slowest of them. */
const MAX_WRITE_MS = 1_000;

interface TimedAnswer {
  readonly status: number;
  readonly tookMs: number;
}

/** Patches of one large value in one asynchronous batch, beside writes of other entities. */
describe('in the log of PostgreSQL,', () => {
  let folder: DataFolder;
  let database: ScratchDatabase;
  let catalog: CatalogProcess;
  let http: CatalogClient;
  beforeAll(async () => {
    buildBundles('apps/standalone/main');
    folder = new DataFolder();
    database = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    catalog = new CatalogProcess({
      ...folder.environment,
      STRATALOG_PARTITIONS: String(PARTITIONS),
      DATABASE_URL: database.url,
    });
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
    'large patches of one entity delay no write of another one, and are all applied',
    async () => {
      expect((await send('a', PATCHES)).status).toBe(200);
      const others: TimedAnswer[] = [];
      const partitions = new Set<number>();
      for (let at = 0; !(await hasVersion(PATCHES + 1)); at++) {
        const urn = `urn:li:tag:other${String(at)}`;
        partitions.add(partitionOf(urn, PARTITIONS));
        others.push(await writeOther(urn));
      }
      const times = others.map(({ tookMs }) => Math.round(tookMs)).sort((a, b) => a - b);
      process.stdout.write(`${stringifyJson({ otherWrites: times.length, slowestMs: times.at(-1) })}\n`);
      expect(others.length).toBeGreaterThanOrEqual(MIN_OTHERS);
      expect(partitions).toContain(partitionOf(WIDE, PARTITIONS));
      expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
      expect(times.at(-1)).toBeLessThan(limitMs(MAX_WRITE_MS));
    },
    limitMs(240_000),
  );

  it('large patches of one entity are answered with 429 and the remedy when they are more than the catalog queues for it', async () => {
    const { status, body } = await send('b', 1_000);
    expect([status, body]).toEqual([
      429,
      expect.stringContaining('send the operations on one aspect as one patch'),
    ]);
    expect((await send('c', 1)).status).toBe(200);
  });
});
