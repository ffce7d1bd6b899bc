import { toBody, type SentProposal } from '../testing/catalog/catalog-client';
import { get, post, type WireCase } from '../testing/catalog/wire-case';

const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,errors,PROD)';
export const TAG = 'urn:li:tag:errors';
const INGEST = '/aspects?action=ingestProposal';
const UNKNOWN_TYPE = 'Failed to find entity with name nothing in EntityRegistry';

export const propose = (sent: Partial<SentProposal>) =>
  post(INGEST, toBody({ urn: TAG, aspectName: 'tagProperties', value: { name: 'x' }, ...sent }));
const change = (changeType: string, members: object = {}) => propose({ members: { changeType, ...members } });
const patch = (aspectName: string, value: string) =>
  propose({ urn: DATASET, aspectName, value, members: { changeType: 'PATCH' } });
export const call = (action: string, body: object) =>
  post(`/entities?action=${action}`, JSON.stringify(body));
const snapshot = { value: { 'com.linkedin.metadata.snapshot.TagSnapshot': { urn: TAG, aspects: [] } } };

/** The errors that a client can get, in the order of the catalogue, case by case. */
export const CATALOGUE: readonly (readonly [what: string, cases: readonly WireCase[]])[] = [
  [
    'missing required parameter',
    [
      {
        name: 'of an action',
        request: call('search', { entity: 'tag', start: 0, count: 1 }),
        status: 400,
        message: "Parameter 'input' is required",
      },
      {
        name: 'of an action without body',
        request: post('/entities?action=exists', ''),
        status: 400,
        message: "Parameter 'urn' is required",
      },
      {
        name: 'of a query',
        request: get(`/aspects/${TAG}`),
        status: 400,
        message: "Parameter 'aspect' is required",
      },
      {
        name: 'of a proposal',
        request: change('UPSERT', { aspectName: null }),
        status: 400,
        message:
          "Parameters of method 'ingestProposal' failed validation with error '/proposal/aspectName :: is required'",
      },
    ],
  ],
  [
    'malformed body',
    [
      {
        name: 'no JSON',
        request: post(INGEST, '{"proposal"'),
        status: 400,
        message: 'Error parsing entity body: ',
      },
      {
        name: 'no object',
        request: post(INGEST, '[]'),
        status: 400,
        message: 'Error parsing entity body: not a JSON object',
      },
      {
        name: 'no UTF-8',
        request: post(INGEST, Buffer.from([123, 255, 125])),
        status: 400,
        message: 'Error parsing entity body: not UTF-8',
      },
      {
        name: 'a member twice',
        request: post('/entities?action=exists', `{"urn":"${TAG}","urn":"${DATASET}"}`),
        status: 400,
        message: "Error parsing entity body: the member 'urn' is there twice",
      },
      {
        name: 'a parameter of another type',
        request: call('exists', { urn: 7 }),
        status: 400,
        message: "Parameters of method 'exists' failed validation with error '/urn :: 7 is not a string'",
      },
      {
        name: 'an unknown symbol',
        request: change('REPLACE'),
        status: 400,
        message: '/proposal/changeType :: "REPLACE" is not one of UPSERT',
      },
    ],
  ],
  [
    'invalid urn syntax in path or action',
    [
      ...['entitiesV2', 'entities', 'aspects'].map((resource) => ({
        name: `in the path of ${resource}`,
        request: get(`/${resource}/nonsense?aspect=status`),
        status: 400,
        message: 'Invalid urn nonsense: must start with "urn:"',
      })),
      ...['exists', 'delete', 'deleteReferences', 'getBrowsePaths'].map((action) => ({
        name: `in ${action}`,
        request: call(action, { urn: 'nonsense' }),
        status: 400,
        message: 'Invalid urn nonsense: must start with "urn:"',
      })),
      {
        name: 'in relationships',
        request: get('/relationships?urn=nonsense&direction=OUTGOING&types=OwnedBy'),
        status: 400,
        message: 'Invalid urn nonsense',
      },
      {
        name: 'a wrong direction',
        request: get(`/relationships?urn=${TAG}&direction=SIDEWAYS&types=OwnedBy`),
        status: 400,
        message: "'direction'",
      },
    ],
  ],
  [
    'unknown entity type',
    [
      {
        name: 'of a proposal',
        request: change('UPSERT', { entityType: 'nothing' }),
        status: 400,
        message: UNKNOWN_TYPE,
      },
      { name: 'of a read', request: get('/entitiesV2/urn:li:nothing:x'), status: 400, message: UNKNOWN_TYPE },
      ...['listUrns', 'list', 'getTotalEntityCount', 'search'].map((action) => ({
        name: `of ${action}`,
        request: call(action, { entity: 'nothing', input: '*', start: 0, count: 1 }),
        status: 400,
        message: UNKNOWN_TYPE,
      })),
    ],
  ],
  [
    'unknown aspect on write',
    [
      {
        name: 'that does not exist',
        request: propose({ aspectName: 'nothing' }),
        status: 422,
        message: 'Unknown aspect nothing for entity tag',
      },
      {
        name: 'that others have',
        request: propose({ aspectName: 'chartInfo' }),
        status: 422,
        message: 'Unknown aspect chartInfo for entity tag',
      },
    ],
  ],
  [
    'schema violation on write',
    [
      {
        name: 'a field of another type',
        request: propose({ value: { name: 7 } }),
        status: 422,
        message:
          'Failed to validate record with class com.linkedin.tag.TagProperties: ERROR :: /name :: must be a string, not 7',
      },
      {
        name: 'a required field that is missing',
        request: propose({ value: {} }),
        status: 422,
        message: 'ERROR :: /name :: is required',
      },
      {
        name: 'no JSON',
        request: propose({ value: 'x' }),
        status: 422,
        message: 'Invalid format for aspect tagProperties',
      },
      {
        name: 'in a snapshot',
        request: call('ingest', {
          entity: {
            value: {
              'com.linkedin.metadata.snapshot.TagSnapshot': {
                urn: TAG,
                aspects: [{ 'com.linkedin.common.Status': { removed: 1 } }],
              },
            },
          },
        }),
        status: 422,
        message: 'ERROR :: ',
      },
    ],
  ],
  [
    'entityType and urn do not go together',
    [
      {
        name: 'in a proposal',
        request: change('UPSERT', { entityType: 'chart' }),
        status: 422,
        message: 'URN entity type does not match MCP entity type. tag != chart',
      },
    ],
  ],
  [
    'precondition or CREATE conflict',
    [
      { name: 'CREATE of what is there', request: change('CREATE'), status: 422, message: 'tagProperties' },
      { name: 'CREATE_ENTITY of what is there', request: change('CREATE_ENTITY'), status: 422, message: TAG },
      {
        name: 'another version',
        request: change('UPSERT', { headers: { 'If-Version-Match': '7' } }),
        status: 422,
        message: 'Expected version 7, actual version 1',
      },
      {
        name: 'changed since',
        request: change('UPSERT', { headers: { 'If-Unmodified-Since': '2020-01-01T00:00:00Z' } }),
        status: 422,
        message: 'modified',
      },
    ],
  ],
  [
    'unsupported changeType',
    ['CREATE', 'CREATE_ENTITY', 'UPDATE', 'PATCH', 'RESTATE'].map((changeType) => ({
      name: `${changeType} of a timeseries aspect`,
      request: propose({
        urn: DATASET,
        aspectName: 'datasetProfile',
        value: { timestampMillis: 1 },
        members: { changeType },
      }),
      status: 422,
      message: changeType,
    })),
  ],
  [
    'unsupported patch',
    [
      {
        name: 'of an aspect that none is for',
        request: patch('browsePaths', '[]'),
        status: 422,
        message: 'Aspect: browsePaths does not currently support patch operations.',
      },
      {
        name: 'of what is not there',
        request: patch('globalTags', '[{"op":"replace","path":"/nothing","value":1}]'),
        status: 422,
        message: 'operation /0 (replace /nothing): there is nothing at this path',
      },
      { name: 'no operations', request: patch('globalTags', '7'), status: 422, message: 'globalTags' },
    ],
  ],
  [
    'aspect not found',
    [
      {
        name: 'that was never written',
        request: get(`/aspects/${TAG}?aspect=ownership&version=0`),
        status: 404,
        message: `Did not find urn: ${TAG} aspect: ownership version: 0`,
      },
      {
        name: 'at a version that is not there',
        request: get(`/aspects/${TAG}?aspect=tagProperties&version=9`),
        status: 404,
        message: `Did not find urn: ${TAG} aspect: tagProperties version: 9`,
      },
    ],
  ],
  [
    'unknown urn',
    [
      {
        name: 'at entitiesV2',
        request: get('/entitiesV2/urn:li:tag:nobody'),
        status: 200,
        aspects: ['tagKey'],
      },
      {
        name: 'at entities',
        request: get('/entities/urn:li:tag:nobody'),
        status: 200,
        json: {
          value: {
            'com.linkedin.metadata.snapshot.TagSnapshot': {
              urn: 'urn:li:tag:nobody',
              aspects: [{ 'com.linkedin.metadata.key.TagKey': { name: 'nobody' } }],
            },
          },
        },
      },
    ],
  ],
  [
    'delete of an unknown urn',
    [
      {
        name: 'deletes nothing',
        request: call('delete', { urn: 'urn:li:tag:nobody' }),
        status: 200,
        json: { value: { urn: 'urn:li:tag:nobody', rows: 0, timeseriesRows: 0 } },
      },
    ],
  ],
  [
    'delete with an aspect of versions',
    [
      {
        name: 'is rejected',
        request: call('delete', { urn: TAG, aspectName: 'tagProperties' }),
        status: 400,
        message: 'Not supported for non-timeseries aspect tagProperties.',
      },
    ],
  ],
  [
    'batchIngest of different lengths',
    [
      {
        name: 'is rejected',
        request: call('batchIngest', { entities: [snapshot], systemMetadata: [{}, {}] }),
        status: 412,
        message: 'entities and systemMetadata length must match',
      },
    ],
  ],
  [
    'not authorized',
    [
      {
        name: 'a page of another site',
        request: { ...propose({}), headers: { Origin: 'https://other.example' } },
        status: 403,
        message: 'Pages of other sites may not call the catalog',
      },
    ],
  ],
  [
    'rejected by the transport',
    [
      {
        name: 'a path that is not there',
        request: get('/nowhere'),
        status: 404,
        message: "No root resource defined for path '/nowhere'",
      },
      {
        name: 'a wrong method',
        request: { method: 'PUT', target: `/entitiesV2/${TAG}` },
        status: 405,
        message: 'PUT operation not supported',
        headers: { allow: 'GET, HEAD, OPTIONS' },
      },
      {
        name: 'an answer that is not welcome',
        request: { ...propose({}), headers: { Accept: 'text/html' } },
        status: 406,
        message: 'The header Accept',
      },
      {
        name: 'a body that is too large',
        request: { method: 'POST', target: INGEST, headers: { 'Content-Length': '99999999' } },
        status: 413,
        message: 'larger than the limit',
      },
      {
        name: 'an unknown content encoding',
        request: { ...propose({}), headers: { 'Content-Encoding': 'zstd' } },
        status: 415,
        message: 'Content-Encoding zstd is not supported',
      },
    ],
  ],
];
