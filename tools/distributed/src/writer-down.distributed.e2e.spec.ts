import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '@stratalog/runtime';
import { until } from '@stratalog/testkit';
import { buildBundles, type AppProgram } from '@stratalog/harness';
import { TestApps } from './testing/apps/test-apps';
import { onTestServers } from './testing/apps/test-servers';

const START_MS = limitMs(180_000);
const LIMIT_MS = limitMs(60_000);
/** Long enough for a commit on a busy machine, and shorter than the proxy waits for an app. */
const PATIENCE_MS = Math.min(limitMs(15_000), 60_000);
/** The delay that a busy machine may add. */
const SLACK_MS = limitMs(10_000);

const urnOf = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:postgres,shop.${name},PROD)`;

describe('writes of a distributed catalog', () => {
  let database: ScratchDatabase;
  let apps: TestApps;
  let url: string;
  let ingest: AppProgram;
  let writers: AppProgram[];

  beforeAll(async () => {
    buildBundles();
    database = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    const settings = { STRATALOG_COMMIT_TIMEOUT_MS: String(PATIENCE_MS) };
    apps = new TestApps({ ...onTestServers(database.url), ...settings });
    ingest = apps.start('ingest', { STRATALOG_METRICS_PORT: '0' });
    const first = await ingest.ready();
    writers = [apps.start('writer'), apps.start('writer')];
    const [second, query] = await Promise.all([
      apps.start('ingest').ready(),
      apps.start('query').ready(),
      ...writers.map((writer) => writer.ready()),
    ]);
    url = await apps.startProxy([first, second], query);
  }, START_MS);
  afterAll(async () => {
    await apps.end();
    await database.drop();
  });

  const write = (urn: string, value: object, parameters: object = {}): Promise<Response> =>
    fetch(`${url}/aspects?action=ingestProposal`, {
      method: 'POST',
      body: JSON.stringify({
        proposal: {
          entityType: 'dataset',
          entityUrn: urn,
          changeType: 'UPSERT',
          aspectName: 'datasetProperties',
          aspect: { value: JSON.stringify(value), contentType: 'application/json' },
        },
        ...parameters,
      }),
    });
  const read = async (urn: string, version = 0): Promise<unknown> => {
    const target = `${url}/aspects/${encodeURIComponent(urn)}?aspect=datasetProperties&version=${String(version)}`;
    const answer = await fetch(target);
    if (answer.status === 404) return undefined;
    const { aspect } = (await answer.json()) as { aspect: Record<string, { description?: string }> };
    return aspect['com.linkedin.dataset.DatasetProperties']?.description;
  };

  it(
    'are answered to their senders, accepted or rejected, with several instances of everything',
    async () => {
      const answers = await Promise.all(
        Array.from({ length: 60 }, async (_, at) => {
          const value = at % 3 === 0 ? { description: at } : { description: `number ${String(at)}` };
          const answer = await write(urnOf(`a${String(at)}`), value);
          return { at, status: answer.status, body: (await answer.json()) as Record<string, unknown> };
        }),
      );
      for (const { at, status, body } of answers) {
        const isRejected = at % 3 === 0;
        expect([at, status]).toEqual([at, isRejected ? 422 : 200]);
        if (isRejected) expect(body.message).toContain('description');
        else expect(body).toEqual({ value: urnOf(`a${String(at)}`) });
        expect(await read(urnOf(`a${String(at)}`))).toBe(isRejected ? undefined : `number ${String(at)}`);
      }
    },
    LIMIT_MS,
  );

  it(
    'are answered with 503 in time without a writer, and applied once when one returns',
    async () => {
      await writers[0]?.stop('SIGKILL');
      await writers[1]?.stop();
      const [urn, later] = [urnOf('waits'), urnOf('later')];

      const startedAt = performance.now();
      const answer = await write(urn, { description: 'waits' });
      const tookMs = performance.now() - startedAt;
      expect(answer.status).toBe(503);
      expect(tookMs).toBeGreaterThan(PATIENCE_MS - 500);
      expect(tookMs).toBeLessThan(PATIENCE_MS + SLACK_MS);
      expect(answer.headers.get('retry-after')).toBe('1');
      const place = answer.headers.get('x-stratalog-log-position') ?? '';
      expect(place).toMatch(/^\d+:\d+$/);
      const [partition = '', offset = ''] = place.split(':');
      expect(await answer.json()).toMatchObject({
        status: 503,
        message: expect.stringContaining(
          `The proposal is in the log (partition ${partition}, offset ${offset}) and will be applied`,
        ),
      });

      const asyncAt = performance.now();
      const asynchronous = await write(later, { description: 'later' }, { async: 'true' });
      expect([asynchronous.status, await asynchronous.json()]).toEqual([200, { value: later }]);
      expect(performance.now() - asyncAt).toBeLessThan(PATIENCE_MS);
      // A proposal that can be rejected without a writer is rejected at once.
      expect((await write(urnOf('wrong'), { description: 1 })).status).toBe(422);
      expect([await read(urn), await read(later)]).toEqual([undefined, undefined]);

      // No process that runs the consumer could tell its lag.
      const readLag = async (metric: string): Promise<number> => {
        const text = await (await fetch(ingest.metrics ?? '')).text();
        const lines = text.matchAll(
          new RegExp(`^stratalog_consumer_lag_${metric}{consumer="writer".*} (.*)$`, 'gm'),
        );
        return Math.max(-1, ...Array.from(lines, ([, value]) => Number(value)));
      };
      expect(await readLag('records')).toBeGreaterThan(0);
      const seconds = await readLag('seconds');
      await write(later, { description: 'later' }, { async: 'true' });
      expect(await readLag('seconds')).toBeGreaterThan(seconds);

      await apps.start('writer').ready();
      await until(async () => (await read(urn)) === 'waits' && (await read(later)) === 'later', LIMIT_MS);
      expect([await read(urn, 1), await read(urn, 2)]).toEqual(['waits', undefined]);
      // Repeating a write that was answered with 503 changes nothing.
      expect((await write(urn, { description: 'waits' })).status).toBe(200);
      expect(await read(urn, 2)).toBeUndefined();
    },
    3 * LIMIT_MS,
  );
});
