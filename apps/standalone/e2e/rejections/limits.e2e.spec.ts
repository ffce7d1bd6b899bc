import { describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import type { RawRequest } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';
import { expectRejection, post } from '../testing/catalog/wire-case';

const MB = 1024 * 1024;
const many = <T>(count: number, of: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => of(at));
const call = (target: string, body: JsonOutputObject): RawRequest => post(target, stringifyJson(body));
const tunnelled = (query: string): RawRequest =>
  post('/entitiesV2', query, {
    'X-HTTP-Method-Override': 'GET',
    'Content-Type': 'application/x-www-form-urlencoded',
  });
const tag = (at: number): JsonOutputObject => ({
  entityType: 'tag',
  entityUrn: `urn:li:tag:t${String(at)}`,
  changeType: 'UPSERT',
  aspectName: 'status',
  aspect: { value: '{"removed":false}', contentType: 'application/json' },
});
const SEARCH = '/entities?action=search';
const INGEST = '/aspects?action=ingestProposal';
const BATCH = '/aspects?action=ingestProposalBatch';
const smallBody = `of this call, which is ${String(MB)} bytes`;

/** Useless shapes, each of which kept the process busy for up to six seconds. */
const CASES: readonly (readonly [
  name: string,
  request: () => RawRequest,
  status: number,
  message: string,
])[] = [
  ['a search for 10 MB of text', () => call(SEARCH, { input: 'word '.repeat(2 * MB) }), 413, smallBody],
  ['a search of 15 MB of objects', () => post(SEARCH, `{"z":[${'{},'.repeat(5 * MB)}0]}`), 413, smallBody],
  [
    'a search of 15 MB whose length is not said',
    () => ({ ...post(SEARCH, ' '.repeat(15 * MB)), isChunked: true }),
    413,
    'The body of the request is larger than the limit',
  ],
  ['15 MB of % in a tunnel', () => tunnelled(`ids=${'%'.repeat(15 * MB)}`), 413, smallBody],
  [
    'a megabyte of % in a tunnel',
    () => tunnelled(`ids=${'%'.repeat(MB - 10)}`),
    400,
    "Parameter 'ids' has a value of more than 131072 characters",
  ],
  [
    'a megabyte of commas in a tunnel',
    () => tunnelled(`ids=${'a,'.repeat(MB / 2 - 10)}`),
    400,
    "Parameter 'ids' has more than 10000 elements",
  ],
  [
    'a megabyte of encoded commas in a tunnel',
    () => tunnelled(`ids=List%28${'a%2C'.repeat(MB / 4 - 10)}%29`),
    400,
    "Parameter 'ids' has more than 10000 elements",
  ],
  [
    'a megabyte of parameters in a tunnel',
    () => tunnelled('%&'.repeat(MB / 2)),
    400,
    'The query has more than 10000 parameters',
  ],
  [
    'a write with five million objects',
    () => post(INGEST, `{"z":[${'{},'.repeat(5 * MB)}0]}`),
    413,
    'The values of the body would take about 471 MB of memory',
  ],
  [
    'a megabyte of objects alongside a search',
    () => post(SEARCH, `{"z":[${'{},'.repeat(MB / 3 - 10)}0]}`),
    413,
    'and those of this call may take 12 MB here: send fewer values at once',
  ],
  [
    'a write with a million members',
    () => call(INGEST, { z: Object.fromEntries(many(1_000_000, (at) => [`k${String(at)}`, 1])) }),
    400,
    '/z has more than 20000 members',
  ],
  [
    'a batch of 10,001 proposals',
    () => call(BATCH, { proposals: many(10_001, tag) }),
    400,
    '/proposals :: has 10001 elements; at most 10000 are taken at once',
  ],
  [
    'a batch of 10,001 snapshots',
    () => call('/entities?action=batchIngest', { entities: many(10_001, () => ({})) }),
    400,
    '/entities :: has 10001 elements; at most 10000 are taken at once',
  ],
  [
    'a urn of 14 MB',
    () => call(INGEST, { proposal: { ...tag(0), entityUrn: `urn:li:tag:${'\\u00e9'.repeat(2 * MB)}` } }),
    422,
    'cannot provide a URN longer than 512 bytes (when URL encoded)',
  ],
];

describe('a request beyond a limit', () => {
  const catalog = catalogForSuite();

  it.each(CASES)('%s is rejected with the name of the limit', async (_name, request, status, message) => {
    const before = await catalog.deps.store.readPartitionSequences();
    expectRejection(await catalog.http.send(request()), status, message);
    expect(await catalog.deps.store.readPartitionSequences()).toEqual(before);
  });
});
