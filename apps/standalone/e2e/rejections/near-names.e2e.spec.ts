import { describe, expect, it } from '@jest/globals';
import { toBody, type SentProposal } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';
import { expectRejection, get, post, type WireCase } from '../testing/catalog/wire-case';

const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,near,PROD)';
const INGEST = '/aspects?action=ingestProposal';
const PAGE = '/restli/docs#';

const propose = (sent: Partial<SentProposal>) =>
  post(INGEST, toBody({ urn: DATASET, aspectName: 'status', value: {}, ...sent }));
const search = (body: object) =>
  post(
    '/entities?action=search',
    JSON.stringify({ input: '*', entity: 'dataset', start: 0, count: 1, ...body }),
  );
const filter = (criterion: object) =>
  search({ filter: { or: [{ and: [{ field: 'name', value: 'x', ...criterion }] }] } });

interface NearCase extends Pick<WireCase, 'name' | 'request' | 'status'> {
  readonly message: string;
  /** The anchor of the page in the rejection. */
  readonly page: string;
}

const CASES: readonly NearCase[] = [
  {
    name: 'aspect',
    request: propose({ aspectName: 'datasetPropertys', value: {} }),
    status: 422,
    message: 'Unknown aspect datasetPropertys for entity dataset; did you mean datasetProperties?',
    page: 'post-aspects-ingestProposal',
  },
  {
    name: 'entity type',
    request: propose({ value: {}, members: { entityType: 'datset', entityUrn: 'urn:li:datset:x' } }),
    status: 400,
    message: 'Failed to find entity with name datset in EntityRegistry; did you mean dataset?',
    page: 'post-aspects-ingestProposal',
  },
  {
    name: 'entity type of a read',
    request: get('/gms/entitiesV2/urn:li:tagg:x'),
    status: 400,
    message: 'Failed to find entity with name tagg in EntityRegistry; did you mean tag?',
    page: 'get-entitiesV2-urn',
  },
  ...[
    ['version=0', ' version: 0'],
    ['version=0&asOf=1', ' as of: 1'],
    ['startVersion=1', ''],
  ].map(([query = '', end = '']) => ({
    name: `aspect of a read with ${query}`,
    request: get(`/aspects/${encodeURIComponent(DATASET)}?aspect=datasetPropertys&${query}`),
    status: 404,
    message: `aspect: datasetPropertys${end}; did you mean datasetProperties?`,
    page: 'get-aspects-urn',
  })),
  {
    name: 'field that is missing',
    request: propose({
      aspectName: 'tagProperties',
      urn: 'urn:li:tag:x',
      value: { nmae: 'x', description: 'y' },
    }),
    status: 422,
    message: 'ERROR :: /name :: is required; did you mean it by nmae?',
    page: 'post-aspects-ingestProposal',
  },
  {
    name: 'enum value',
    request: propose({
      aspectName: 'ownership',
      value: { owners: [{ owner: 'urn:li:corpuser:a', type: 'DATAOWNR' }] },
    }),
    status: 422,
    message: ', not "DATAOWNR"; did you mean DATAOWNER?',
    page: 'post-aspects-ingestProposal',
  },
  {
    name: 'change type',
    request: propose({ value: {}, members: { changeType: 'UPSRT' } }),
    status: 400,
    message: 'RESTATE, DELETE; did you mean UPSERT?',
    page: 'post-aspects-ingestProposal',
  },
  {
    name: 'action',
    request: post('/entities?action=serach', '{}'),
    status: 400,
    message:
      'getTotalEntityCount, ingest, list, listUrns, scrollAcrossEntities, scrollAcrossLineage, search, searchAcrossEntities, searchAcrossLineage; did you mean search?',
    page: 'to-know',
  },
  {
    name: 'action, with the one that is near',
    request: post('/aspects?action=ingestPropsal', '{}'),
    status: 400,
    message:
      '; its actions: getCount, getTimeseriesAspectValues, ingestProposal, ingestProposalBatch, restoreIndices; did you mean ingestProposal?',
    page: 'to-know',
  },
  {
    name: 'action that is missing',
    request: post('/runs', '{}'),
    status: 400,
    message: "the query parameter 'action' is missing; its actions: describe, list, rollback",
    page: 'to-know',
  },
  {
    name: 'path',
    request: get('/models/entitys/dataset'),
    status: 404,
    message: "No root resource defined for path '/models/entitys/dataset'; did you mean /models/entities?",
    page: 'to-know',
  },
  {
    name: 'path of the metrics',
    request: get('/metrics'),
    status: 404,
    message:
      "No root resource defined for path '/metrics'; STRATALOG_METRICS_PORT sets the port that serves the metrics",
    page: 'to-know',
  },
  {
    name: 'searched field',
    request: filter({ field: 'descripton' }),
    status: 400,
    message: 'descripton is no searchable field of the entity type dataset; did you mean description?',
    page: 'post-entities-search',
  },
  {
    name: 'condition',
    request: filter({ condition: 'EQUALS' }),
    status: 400,
    message: 'EQUALS is not supported; use one of EQUAL, ',
    page: 'post-entities-search',
  },
  {
    name: 'condition, with the one that is near',
    request: filter({ condition: 'STARTS_WITH' }),
    status: 400,
    message: '; did you mean START_WITH?',
    page: 'post-entities-search',
  },
  {
    name: 'order',
    request: search({ sort: { field: 'name', order: 'ASCENDNG' } }),
    status: 400,
    message: 'is not one of ASCENDING, DESCENDING; did you mean ASCENDING?',
    page: 'post-entities-search',
  },
  {
    name: 'direction',
    request: get('/relationships?urn=urn:li:tag:a&types=TaggedWith&direction=INCOMNG'),
    status: 400,
    message: 'allowed: INCOMING, OUTGOING, UNDIRECTED; did you mean INCOMING?',
    page: 'get-relationships',
  },
  {
    name: 'timeseries aspect',
    request: post(
      '/aspects?action=getTimeseriesAspectValues',
      JSON.stringify({ urn: DATASET, entity: 'dataset', aspect: 'datasetProfiles' }),
    ),
    status: 400,
    message: 'Unknown aspect datasetProfiles for entity dataset; did you mean datasetProfile?',
    page: 'post-aspects-getTimeseriesAspectValues',
  },
  {
    name: 'parameter that is missing',
    request: post('/entities?action=search', JSON.stringify({ inputt: '*', entity: 'dataset', start: 0 })),
    status: 400,
    message: "Parameter 'input' is required, and so is 'count'; did you mean it by 'inputt'?",
    page: 'post-entities-search',
  },
  {
    name: 'parameter of a query that is missing',
    request: get('/aspects/urn:li:tag:a?aspct=status'),
    status: 400,
    message: "Parameter 'aspect' is required; did you mean it by 'aspct'?",
    page: 'get-aspects-urn',
  },
  {
    name: 'aspect of the model',
    request: get('/models/aspects/ownershp'),
    status: 404,
    message: 'The model has no aspect ownershp; did you mean ownership?',
    page: 'get-models-aspects-name',
  },
  {
    name: 'record of a snapshot',
    request: post(
      '/entities?action=ingest',
      JSON.stringify({
        entity: {
          value: {
            'com.linkedin.metadata.snapshot.TagSnapshot': {
              urn: 'urn:li:tag:a',
              aspects: [{ 'com.linkedin.tag.TagPropertys': {} }],
            },
          },
        },
      }),
    ),
    status: 422,
    message: 'is no aspect of the snapshot; did you mean com.linkedin.tag.TagProperties?',
    page: 'post-entities-ingest',
  },
];

describe('a rejection of an unknown name', () => {
  const catalog = catalogForSuite();

  it.each(CASES.map((row) => [row.name, row] as const))(
    'suggests a similar name, and links to its page: %s',
    async (_name, { request, status, message, page }) => {
      const answer = await catalog.http.send(request);
      expectRejection(answer, status, message);
      const prefix = request.target.startsWith('/gms/') ? '/gms' : '';
      expect(answer.json).toHaveProperty('docUrl', `${prefix}${PAGE}${page}`);
    },
  );

  it('links to an existing anchor', async () => {
    const { body } = await catalog.http.get('/restli/docs');
    const anchors = new Set(CASES.map(({ page }) => page));
    expect([...anchors].filter((anchor) => !body.includes(`id="${anchor}"`))).toEqual([]);
  });

  it('carries the link as a header in the dialect of schema registries', async () => {
    const answer = await catalog.http.get('/schema-registry/subjects/nothing/versions');
    expect([answer.status, Object.keys(answer.json as object)]).toEqual([404, ['error_code', 'message']]);
    expect(answer.headers.link).toMatch(
      /^<\/restli\/docs#get-schema-registry-\S*subjects-subject-versions>; rel="help"$/,
    );
  });

  it('costs no more for a name of megabytes', async () => {
    const name = 'datasetPropertie'.repeat(200_000);
    const answer = await catalog.http.send(propose({ aspectName: name, value: {} }));
    expect(answer.status).toBe(422);
    expect(answer.body).not.toContain('did you mean');
  });
});

describe('an envelope with several faults', () => {
  const catalog = catalogForSuite();

  it('is rejected with all of them at once', async () => {
    const proposal = {
      entityType: 5,
      entityUrm: 'urn:li:tag:a',
      changeType: 'UPSRT',
      aspect: { value: 1 },
      systemMetadata: { lastObserved: 'now', runId: 7 },
    };
    const answer = await catalog.http.send(post(INGEST, JSON.stringify({ proposal })));
    const faults = [
      '/proposal/entityType :: is not a string',
      '/proposal/entityUrn :: is required; did you mean it by entityUrm?',
      '/proposal/aspectName :: is required',
      '/proposal/changeType :: "UPSRT" is not one of UPSERT, CREATE, CREATE_ENTITY, UPDATE, PATCH, RESTATE, DELETE; did you mean UPSERT?',
      '/proposal/aspect/value :: is not a string',
      '/proposal/systemMetadata/lastObserved :: is not a time in epoch milliseconds',
      '/proposal/systemMetadata/runId :: is not a string',
    ].join('\n');
    expectRejection(
      answer,
      400,
      `Parameters of method 'ingestProposal' failed validation with error '${faults}'`,
    );
  });

  it('is rejected with the first ten of those in several proposals of a batch', async () => {
    const proposals = Array.from({ length: 50 }, () => ({ changeType: 'UPSERT' }));
    const body = JSON.stringify({ proposals: [3, ...proposals] });
    const answer = await catalog.http.send(post('/aspects?action=ingestProposalBatch', body));
    expectRejection(
      answer,
      400,
      "error '/proposals/0 :: is not an object\n/proposals/1/entityType :: is required",
    );
    const { message } = answer.json as { readonly message: string };
    expect(message.split('\n')).toHaveLength(10);
  });
});
