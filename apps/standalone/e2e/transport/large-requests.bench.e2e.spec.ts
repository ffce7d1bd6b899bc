import { describeAlongsideReads, type LargeCase } from '../testing/alongside-reads';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import type { RawRequest } from '../testing/catalog/raw-http';
import { dataset, ingest, many, patch } from '../testing/watched-catalog';
import { post } from '../testing/catalog/wire-case';

const MB = 1024 * 1024;
const proposal = (urn: string, value: string): JsonOutputObject => ({
  entityType: 'dataset',
  entityUrn: urn,
  changeType: 'UPSERT',
  aspectName: 'datasetProperties',
  aspect: { value, contentType: 'application/json' },
});
const tunnelled = (query: string): RawRequest =>
  post('/entitiesV2', query, {
    'X-HTTP-Method-Override': 'GET',
    'Content-Type': 'application/x-www-form-urlencoded',
  });
const SEARCH = '/entities?action=search';
const PROPOSE = '/aspects?action=ingestProposal';

const CASES: readonly LargeCase[] = [
  ['a search for 10 MB of text', 413, () => post(SEARCH, stringifyJson({ input: 'word '.repeat(2 * MB) }))],
  ['15 MB of % in a tunnel', 413, () => tunnelled(`ids=${'%'.repeat(15 * MB)}`)],
  ['a megabyte of % in a tunnel', 400, () => tunnelled('%&'.repeat(MB / 2))],
  [
    'a megabyte of objects alongside a search',
    413,
    () => post(SEARCH, `{"z":[${'{},'.repeat(MB / 3 - 10)}0]}`),
  ],
  ['15 MB of objects alongside a proposal', 413, () => post(PROPOSE, `{"z":[${'{},'.repeat(5 * MB)}0]}`)],
  [
    'a million members alongside a proposal',
    400,
    () =>
      post(PROPOSE, stringifyJson({ z: Object.fromEntries(many(1_000_000, (at) => [`k${String(at)}`, 1])) })),
  ],
  [
    'a value of 12 MB in one text',
    200,
    () => ingest(dataset('long'), 'datasetProperties', { description: 'x'.repeat(12 * MB) }),
  ],
  [
    'a value of 400,000 parts that the model rejects',
    422,
    () =>
      ingest(
        dataset('parts'),
        'upstreamLineage',
        stringifyJson({
          upstreams: many(100_000, (at) => ({ dataset: dataset(String(at)), type: 'TRANSFORMED' })),
          x: 1,
        }).replace('"TRANSFORMED"}],"x"', '"NOTHING"}],"x"'),
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
            proposal(dataset(`b${String(at)}`), `{"description":"d${String(at)}"}`),
          ),
        }),
      ),
  ],
  [
    'a patch of 10,000 operations',
    200,
    () =>
      patch(
        dataset('patched'),
        'datasetProperties',
        many(10_000, (at) => ({ op: 'add', path: `/customProperties/k${String(at)}`, value: 'v' })),
      ),
  ],
];

describeAlongsideReads('a large request alongside 200 others a second', CASES);
