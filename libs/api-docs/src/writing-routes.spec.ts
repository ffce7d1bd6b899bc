import { describe, expect, test } from '@jest/globals';
import type { DocumentedRoute } from '@stratalog/http';
import { API_ROUTES } from './api-controllers';
import { allPages, shippedParts } from './testing/shipped-docs';

const nameOf = ({ method, path, action }: DocumentedRoute): string =>
  `${method} ${path}${action === undefined ? '' : ` ${action}`}`;

/** Every call that changes data of the catalog. */
const WRITING = [
  'DELETE /relationships',
  'POST /aspects ingestProposal',
  'POST /aspects ingestProposalBatch',
  'POST /aspects restoreIndices',
  'POST /entities applyRetention',
  'POST /entities batchIngest',
  'POST /entities delete',
  'POST /entities deleteReferences',
  'POST /entities ingest',
  'POST /openapi/operations/elasticSearch/restoreIndices',
  'POST /operations adoptLog',
  'POST /operations cancelTask',
  'POST /operations createToken',
  'POST /operations declareRestored',
  'POST /operations pauseTask',
  'POST /operations rebuildIndex',
  'POST /operations rebuildIndices',
  'POST /operations restoreIndices',
  'POST /operations resumeLog',
  'POST /operations resumeTask',
  'POST /operations revokeToken',
  'POST /operations rotateToken',
  'POST /operations truncateTimeseriesAspect',
  'POST /runs rollback',
  'POST /schema-registry/api/subjects/:subject/versions',
  'POST /test batchEvaluate',
  'POST /test evaluate',
  'POST /test evaluateAll',
  'POST /usageStats batchIngest',
];
/** Calls by `GET` that restate values, at an address of the original. */
const WRITING_GETS = ['GET /openapi/operations/elasticSearch/restoreIndices'];
/** Every call by a method other than `GET` that changes nothing. */
const READING = [
  'DELETE /schema-registry/api/subjects/:subject/versions/:version',
  'POST /analytics getTimeseriesStats',
  'POST /aspects getCount',
  'POST /aspects getTimeseriesAspectValues',
  'POST /entities autocomplete',
  'POST /entities batchGetTotalEntityCount',
  'POST /entities browse',
  'POST /entities browseV2',
  'POST /entities exists',
  'POST /entities filter',
  'POST /entities getBrowsePaths',
  'POST /entities getTotalEntityCount',
  'POST /entities list',
  'POST /entities listUrns',
  'POST /entities scrollAcrossEntities',
  'POST /entities scrollAcrossLineage',
  'POST /entities search',
  'POST /entities searchAcrossEntities',
  'POST /entities searchAcrossLineage',
  'POST /openapi/operations/elasticSearch/entity/raw',
  'POST /openapi/v3/entity/:entityType/batchGet',
  'POST /operations describeIndex',
  'POST /operations describeLog',
  'POST /operations getEsTaskStatus',
  'POST /operations getIndexSizes',
  'POST /relationships batchGetLineage',
  'POST /relationships getLineage',
  'POST /runs describe',
  'POST /runs list',
  'POST /schema-registry/api/compatibility/subjects/:subject/versions/:version',
  'POST /schema-registry/api/subjects/:subject',
  'POST /usageStats query',
  'POST /usageStats queryOperations',
  'POST /usageStats queryRange',
  'PUT /schema-registry/api/config/:subject',
];

describe('the effect of each call on the catalog', () => {
  test('is as its route declares', () => {
    const calls = API_ROUTES.filter(({ method }) => method !== 'GET');
    const named = (does: boolean) =>
      calls
        .filter((route) => route.writes === does)
        .map(nameOf)
        .sort();
    expect(named(true)).toEqual(WRITING);
    expect(named(false)).toEqual(READING);
    const writingGets = API_ROUTES.filter(({ method, writes }) => method === 'GET' && writes);
    expect(writingGets.map(nameOf)).toEqual(WRITING_GETS);
  });

  test('is shown next to each call, and on its button', async () => {
    const index = allPages(await shippedParts()).get('restli/docs') ?? '';
    const shown = index.split('<li class="endpoint"').slice(1);
    const [writing, reading] = [true, false].map((does) =>
      shown.filter((text) => text.includes('class="chip writes"') === does),
    );
    expect(writing).toHaveLength(WRITING.length + WRITING_GETS.length);
    for (const text of writing ?? []) expect(text).toContain('Run and write');
    for (const text of reading ?? []) expect(text).not.toContain('Run and write');
  });
});
