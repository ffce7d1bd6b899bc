import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildBundles } from '@stratalog/harness';
import { partitionOf } from '@stratalog/domain';
import { stringifyJson } from '@stratalog/json';
import { createScratchDatabase, type ScratchDatabase } from '@stratalog/runtime';
import { until } from '@stratalog/testkit';
import { TestApps } from './testing/apps/test-apps';
import { onTestServers } from './testing/apps/test-servers';

const START_MS = limitMs(180_000);
const APPS = ['ingest', 'writer', 'indexer', 'query', 'graph', 'admin'];
const PARTITIONS = 16;
const PATCHES = 60;
const MIN_OTHERS = 40;
const MAX_WRITE_MS = 1_000;
const WIDE = 'urn:li:dataset:(urn:li:dataPlatform:hive,wide,PROD)';

const proposal = (entityUrn: string, changeType: string, aspectName: string, value: unknown) => ({
  entityType: entityUrn.split(':')[2],
  entityUrn,
  changeType,
  aspectName,
  aspect: { value: JSON.stringify(value), contentType: 'application/json' },
});
const patch = (key: string) =>
  proposal(WIDE, 'PATCH', 'datasetProperties', [{ op: 'add', path: `/customProperties/${key}`, value: 'v' }]);
const keys = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${name}${String(at)}`);

describe('in a distributed catalog,', () => {
  let database: ScratchDatabase;
  let apps: TestApps;
  let url: string;
  beforeAll(async () => {
    buildBundles();
    database = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    apps = new TestApps({ ...onTestServers(database.url), STRATALOG_PARTITIONS: String(PARTITIONS) });
    const started = new Map<string, string>();
    for (const app of APPS) started.set(app, await apps.start(app).ready());
    const served = ['ingest', 'query', 'graph', 'admin'].map((app) => [
      `STRATALOG_${app.toUpperCase()}_URLS`,
      started.get(app),
    ]);
    url = await apps.start('proxy', Object.fromEntries(served) as NodeJS.ProcessEnv).ready();
    await until(async () => (await fetch(`${url}/health/ready`)).status === 200, START_MS);
    const customProperties = Object.fromEntries(keys('k', 700).map((key) => [key, 'x'.repeat(10_000)]));
    const wide = proposal(WIDE, 'UPSERT', 'datasetProperties', { customProperties });
    expect((await send('ingestProposal', { proposal: wide })).status).toBe(200);
  }, START_MS);
  afterAll(async () => {
    await apps.end();
    await database.drop();
  });

  const send = (action: string, body: object): Promise<Response> =>
    fetch(`${url}/aspects?action=${action}`, { method: 'POST', body: JSON.stringify(body) });

  const hasVersion = async (version: number): Promise<boolean> => {
    const target = `${url}/aspects/${encodeURIComponent(WIDE)}?aspect=datasetProperties&version=${String(version)}`;
    const answer = await fetch(target);
    await answer.body?.cancel();
    return answer.status === 200;
  };

  it(
    'large patches of one entity delay no write of another one, in any partition, and are all applied',
    async () => {
      const proposals = keys('a', PATCHES).map(patch);
      const answer = await send('ingestProposalBatch', { proposals, async: 'true' });
      expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
      const others: { readonly partition: number; readonly tookMs: number }[] = [];
      const failures: string[] = [];
      for (let at = 0; !(await hasVersion(PATCHES + 1)); at++) {
        const urn = `urn:li:tag:other${String(at)}`;
        const beganAt = performance.now();
        const body = { proposal: proposal(urn, 'UPSERT', 'tagProperties', { name: 'other' }) };
        const other = await send('ingestProposal', body);
        const tookMs = Math.round(performance.now() - beganAt);
        others.push({ partition: partitionOf(urn, PARTITIONS), tookMs });
        if (other.status !== 200) failures.push(`${String(other.status)} ${await other.text()}`);
      }
      const ofOwn = others.filter(({ partition }) => partition === partitionOf(WIDE, PARTITIONS));
      const [times, ownTimes] = [others, ofOwn].map((some) =>
        some.map(({ tookMs }) => tookMs).sort((one, two) => one - two),
      );
      const figures = { otherWrites: others.length, slowestMs: times?.at(-1), ofTheirPartitionMs: ownTimes };
      process.stdout.write(`${stringifyJson(figures)}\n`);
      expect(failures).toEqual([]);
      expect(others.length).toBeGreaterThanOrEqual(MIN_OTHERS);
      expect(ofOwn).not.toEqual([]);
      expect(times?.at(-1)).toBeLessThan(limitMs(MAX_WRITE_MS));
    },
    limitMs(240_000),
  );

  it('large patches of one entity are answered with 429 when they are more than the catalog queues for it', async () => {
    const answer = await send('ingestProposalBatch', {
      proposals: keys('b', 1_000).map(patch),
      async: 'true',
    });
    expect(answer.status).toBe(429);
  });
});
