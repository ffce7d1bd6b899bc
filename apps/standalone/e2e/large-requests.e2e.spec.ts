import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutputObject } from '@stratalog/model';
import { createScratchDatabase, type ScratchDatabase } from '@stratalog/runtime';
import { until } from '@stratalog/testkit';
import type { CatalogClient } from './testing/catalog-client';
import { CatalogProcess, DataFolder, buildProgram } from './testing/catalog-process';
import type { RawRequest } from './testing/raw-http';
import { SteadyLoad } from './testing/steady-load';
import { post } from './testing/wire-case';

/** What one turn of the event loop may take of the processor, on the machine on which the unit takes so long. */
const MAX_TURN_MS = 100;
const UNIT_MS = 12;
/** What 99 of 100 reads may take beside a large request, besides what they take without it. */
const MAX_P99_MS = 250;
/** A core that another process shares makes every time up to so much longer. */
const SHARED_CORE = 2;

const MB = 1024 * 1024;
const many = <T>(count: number, of: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => of(at));
const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const proposal = (
  urn: string,
  aspectName: string,
  value: string,
  changeType = 'UPSERT',
): JsonOutputObject => ({
  entityType: 'dataset',
  entityUrn: urn,
  changeType,
  aspectName,
  aspect: { value, contentType: 'application/json' },
});
const ingest = (sent: JsonOutputObject): RawRequest =>
  post('/aspects?action=ingestProposal', stringifyJson({ proposal: sent }));
const tunnelled = (query: string): RawRequest =>
  post('/entitiesV2', query, {
    'X-HTTP-Method-Override': 'GET',
    'Content-Type': 'application/x-www-form-urlencoded',
  });
const SEARCH = '/entities?action=search';

const CASES: readonly (readonly [name: string, status: number, request: () => RawRequest])[] = [
  ['a search for 10 MB of text', 413, () => post(SEARCH, stringifyJson({ input: 'word '.repeat(2 * MB) }))],
  ['15 MB of % in a tunnel', 413, () => tunnelled(`ids=${'%'.repeat(15 * MB)}`)],
  ['a megabyte of % in a tunnel', 400, () => tunnelled('%&'.repeat(MB / 2))],
  ['a megabyte of objects beside a search', 400, () => post(SEARCH, `{"z":[${'{},'.repeat(MB / 3 - 10)}0]}`)],
  [
    '15 MB of objects beside a proposal',
    400,
    () => post('/aspects?action=ingestProposal', `{"z":[${'{},'.repeat(5 * MB)}0]}`),
  ],
  [
    'a million members beside a proposal',
    400,
    () =>
      post(
        '/aspects?action=ingestProposal',
        stringifyJson({ z: Object.fromEntries(many(1_000_000, (at) => [`k${String(at)}`, 1])) }),
      ),
  ],
  [
    'a value of 12 MB in one text',
    200,
    () =>
      ingest(
        proposal(dataset('long'), 'datasetProperties', stringifyJson({ description: 'x'.repeat(12 * MB) })),
      ),
  ],
  [
    'a value of 400,000 parts that the model refuses',
    422,
    () =>
      ingest(
        proposal(
          dataset('parts'),
          'upstreamLineage',
          stringifyJson({
            upstreams: many(100_000, (at) => ({ dataset: dataset(String(at)), type: 'TRANSFORMED' })),
            x: 1,
          }).replace('"TRANSFORMED"}],"x"', '"NOTHING"}],"x"'),
        ),
      ),
  ],
  [
    'a batch of 10,000 proposals',
    200,
    () =>
      post(
        '/aspects?action=ingestProposalBatch',
        stringifyJson({
          proposals: many(10_000, (at) =>
            proposal(dataset(`b${String(at)}`), 'datasetProperties', `{"description":"d${String(at)}"}`),
          ),
        }),
      ),
  ],
  [
    'a patch of 10,000 operations',
    200,
    () =>
      ingest(
        proposal(
          dataset('patched'),
          'datasetProperties',
          stringifyJson(
            many(10_000, (at) => ({ op: 'add', path: `/customProperties/k${String(at)}`, value: 'v' })),
          ),
          'PATCH',
        ),
      ),
  ],
];

describe('a large request beside 200 others a second', () => {
  const folder = new DataFolder();
  const file = join(folder.path, 'turns.json');
  let database: ScratchDatabase;
  let catalog: CatalogProcess;
  let http: CatalogClient;
  let quietMs: number;

  const longestTurn = async (): Promise<{ readonly longestMs: number; readonly unitMs: number }> => {
    rmSync(file, { force: true });
    process.kill(catalog.pid, 'SIGUSR2');
    await until(() => existsSync(file));
    return JSON.parse(readFileSync(file, 'utf8')) as { longestMs: number; unitMs: number };
  };
  const load = () => new SteadyLoad(http.port, `/entitiesV2/${encodeURIComponent('urn:li:tag:read')}`);

  beforeAll(async () => {
    buildProgram();
    database = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    catalog = new CatalogProcess({
      ...folder.environment,
      DATABASE_URL: database.url,
      STRATALOG_COMMIT_TIMEOUT_MS: '60000',
      NODE_OPTIONS: `--import ${join(import.meta.dirname, 'testing/turn-clock.mjs')}`,
      TURN_CLOCK_FILE: file,
    });
    http = await catalog.client();
    await http.write('urn:li:tag:read', 'tagProperties', { name: 'read' });
    const reads = load();
    for (const at of many(50, (n) => n)) await http.search(`quiet ${String(at)}`);
    quietMs = (await reads.stop()).p99Ms;
  });
  afterAll(async () => {
    await catalog.end('SIGTERM');
    await database.drop();
    folder.remove();
  });

  it.each(CASES)('%s keeps nobody waiting', async (_name, status, request) => {
    const large = request();
    await http.caughtUp();
    await longestTurn();
    const reads = load();
    const answer = await http.send(large);
    await http.caughtUp();
    const { count, p99Ms } = await reads.stop();
    const { longestMs, unitMs } = await longestTurn();
    expect([answer.status, answer.body.slice(0, 300)]).toEqual([status, expect.any(String)]);
    expect(count).toBeGreaterThan(0);
    expect(longestMs / Math.max(1, unitMs / UNIT_MS)).toBeLessThan(limitMs(SHARED_CORE * MAX_TURN_MS));
    expect(p99Ms).toBeLessThan(
      limitMs(SHARED_CORE * Math.max(1, unitMs / UNIT_MS) * MAX_P99_MS) + 3 * quietMs,
    );
  });
});
