import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildBundles } from '@stratalog/harness';
import { stringifyJson } from '@stratalog/json';
import { createScratchDatabase, type ScratchDatabase } from '@stratalog/runtime';
import { CatalogProcess, DataFolder } from '../testing/catalog/catalog-process';
import { at, type CatalogClient } from '../testing/catalog/catalog-client';
import type { RawRequest } from '../testing/catalog/raw-http';
import { post } from '../testing/catalog/wire-case';
import { dataset, ingest, many } from '../testing/watched-catalog';

const MB = 1024 * 1024;
const TOKEN = 'a-token-of-this-suite';
const READ = 'urn:li:tag:read';
const DATASET = dataset('wide');
const LONG = dataset('long');
/** Ten patterns of 950 instructions take 760,000; the rest is for the new space, which belongs to the heap too. */
const PATTERN_BYTES = 500_000;

/** A body of 1 MB: some members, and a list of many small values. */
const bodyOf = (members: string, element: string): string =>
  `{${members}"x":[${`${element},`.repeat(Math.floor((MB - 100) / (element.length + 1)))}0]}`;
const search = (element: string): RawRequest =>
  post('/entities?action=search', bodyOf('"input":"x","entity":"dataset","start":0,"count":1,', element));
const write = (element: string): RawRequest => post('/aspects?action=ingestProposal', bodyOf('', element));
const query = (part: string): RawRequest => ({
  method: 'GET',
  target: `/entitiesV2?ids=List(${encodeURIComponent(READ)})&${part.repeat(Math.floor(15_000 / part.length))}`,
});

/** Each is sent many times at once; the status of those that found room. */
const CASES: readonly (readonly [name: string, request: () => RawRequest, status: number])[] = [
  ['searches with an ignored list of empty objects', () => search('{}'), 413],
  ['searches with an ignored list of lists', () => search('[[]]'), 413],
  ['writes with an ignored list of empty objects', () => write('{}'), 400],
  ['writes with an ignored list of objects of one member', () => write('{"a":1.5}'), 400],
  [
    'writes whose value is a text of many small values',
    () => ingest(DATASET, 'datasetProperties', `{"z":[${'{},'.repeat(MB / 3)}0]}`),
    200,
  ],
  ['reads with thousands of unknown parameters', () => query('a&'), 200],
];

describe.each([
  ['256 MB', '256', 12, 12, CASES],
  ['1 GB', '1024', 40, 100, CASES.slice(0, 1)],
] as const)('a catalog with a heap of %s', (_heap, heapMb, parallel, parallelBodies, cases) => {
  const folder = new DataFolder();
  let database: ScratchDatabase;
  let catalog: CatalogProcess;
  let http: CatalogClient;

  beforeAll(async () => {
    buildBundles('apps/standalone/main');
    database = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    catalog = new CatalogProcess({
      ...folder.environment,
      DATABASE_URL: database.url,
      STRATALOG_TOKEN: TOKEN,
      NODE_OPTIONS: `--max-old-space-size=${heapMb}`,
      STRATALOG_QUERY_TIMEOUT_MS: '50000',
      STRATALOG_COMMIT_TIMEOUT_MS: '60000',
    });
    http = await catalog.client();
    await http.write(READ, 'tagProperties', { name: 'read' });
  });
  afterAll(async () => {
    await catalog.stop('SIGKILL');
    await database.drop();
    folder.remove();
  });

  const readsSucceed = async (): Promise<void> => {
    const reads = await Promise.all(many(20, () => http.entity(READ)));
    expect(reads.map(({ status }) => status)).toEqual(many(20, () => 200));
  };
  /** The statuses of requests that are sent at once; point reads alongside and after them are answered. */
  const sendMany = async (count: number, request: () => RawRequest): Promise<readonly number[]> => {
    const answers = many(count, () => http.send(request()));
    await readsSucceed();
    const statuses = new Set((await Promise.all(answers)).map(({ status }) => status));
    await readsSucceed();
    return [...statuses].filter((status) => status !== 503);
  };

  it.each(cases)(
    `survives ${String(parallelBodies)} %s at once, and answers reads alongside`,
    async (_name, request, status) => {
      expect(await sendMany(parallelBodies, request)).toEqual([status]);
    },
  );

  it(`survives ${String(parallel)} reads at once of a value of 4 MB`, async () => {
    const value = { description: 'x'.repeat(4 * MB) };
    const written = await http.ingest({ urn: LONG, aspectName: 'datasetProperties', value });
    expect(written.status).toBe(200);
    const target = `/entitiesV2/${encodeURIComponent(LONG)}`;
    expect(await sendMany(parallel, () => ({ method: 'GET', target }))).toEqual([200]);
  });

  it(`survives ${String(parallel)} reads at once of several values of 4 MB`, async () => {
    const ids = Array.from({ length: 7 }, (_, at) => dataset(`long-${String(at)}`));
    for (const urn of ids) {
      const value = { description: 'x'.repeat(4 * MB) };
      expect((await http.ingest({ urn, aspectName: 'datasetProperties', value })).status).toBe(200);
    }
    const target = `/entitiesV2?ids=List(${ids.map(encodeURIComponent).join(',')})&aspects=List(datasetProperties)`;
    expect(await sendMany(parallel, () => ({ method: 'GET', target }))).toEqual([200]);
  });

  // Compiling five times as many for the larger heap takes a minute.
  if (heapMb === '256')
    it('rejects an evaluation of tests whose regular expressions would fill the heap', async () => {
      const count = Math.ceil((0.1 * Number(heapMb) * MB) / PATTERN_BYTES) + 1;
      const urns = Array.from({ length: count }, (_, at) => `urn:li:test:large-${String(at)}`);
      for (const [at, urn] of urns.entries()) {
        const rules = Array.from({ length: 10 }, (_, place) => ({
          property: 'datasetProperties.name',
          operator: 'matches',
          value: `${String(at)}.{950}b{${String(place + 1)}}`,
        }));
        const json = stringifyJson({ on: { types: ['dataset'] }, rules });
        const value = { name: urn, category: 'x', definition: { type: 'JSON', json } };
        const written = await http.ingest({ urn, aspectName: 'testInfo', value });
        expect([written.status, written.status === 200 ? '' : written.body]).toEqual([200, '']);
      }
      const evaluate = (tests: readonly string[]) =>
        http.post('/test?action=evaluate', stringifyJson({ urn: READ, tests }), {
          authorization: `Bearer ${TOKEN}`,
        });
      const all = await evaluate(urns);
      expect([all.status, at(all.json, 'message')]).toEqual([400, expect.stringContaining('MB of memory')]);
      expect((await evaluate(urns.slice(0, 1))).status).toBe(200);
    });

  it('answers the small bodies of many clients that are sent in chunks', async () => {
    const body = stringifyJson({ input: 'x', entity: 'dataset', start: 0, count: 1 });
    const chunked = many(20, () => http.send({ ...post('/entities?action=search', body), isChunked: true }));
    expect((await Promise.all(chunked)).map(({ status }) => status)).toEqual(many(20, () => 200));
  });
});
