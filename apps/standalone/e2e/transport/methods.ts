import { get, post, type WireCase } from '../testing/catalog/wire-case';
import { SEED } from './addresses';

const seed = encodeURIComponent(SEED);
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const override = (method: string) => ({ 'X-HTTP-Method-Override': method, ...FORM });
const manyIds = [
  SEED,
  ...Array.from({ length: 900 }, (_, at) => `urn:li:tag:long-${String(at).padStart(30, '0')}`),
]
  .map(encodeURIComponent)
  .join(',');

export const TUNNELS: readonly WireCase[] = [
  {
    name: 'a list of urns that no target could hold',
    request: post('/gms/entitiesV2', `ids=List(${manyIds})&aspects=List(status)`, override('GET')),
    status: 200,
    json: { results: { [SEED]: { aspects: { status: {} } } } },
  },
  {
    name: 'a query that goes on where the target has one',
    request: post(`/entitiesV2/${seed}?aspects=status`, 'asOf=9000000000000', override('get')),
    status: 200,
    json: { asOf: 9_000_000_000_000 },
    aspects: ['status', 'tagKey'],
  },
  {
    name: 'a query that is chunked',
    request: { ...post('/entitiesV2', `ids=${seed}`, override('GET')), isChunked: true },
    status: 200,
    json: { results: { [SEED]: {} } },
  },
  {
    name: 'a query that means to delete',
    request: post('/relationships', 'urn=urn:li:tag:nobody', override('DELETE')),
    status: 200,
    headers: { 'content-length': '0' },
  },
  {
    name: 'an override that says POST',
    request: post('/entities?action=exists', `{"urn":"${SEED}"}`, { 'X-HTTP-Method-Override': 'POST' }),
    status: 200,
    json: { value: true },
  },
  {
    name: 'a query without what is required',
    request: post('/entitiesV2', '', override('GET')),
    status: 400,
    message: "Parameter 'ids' is required",
  },
  {
    name: 'an action by GET',
    request: post('/entities?action=search', 'input=x', override('GET')),
    status: 400,
    message: 'must be submitted as a POST (was GET)',
  },
  {
    name: 'another method',
    request: post('/relationships', 'urn=x', override('PATCH')),
    status: 400,
    message: 'Header X-HTTP-Method-Override: "PATCH" is not GET or DELETE',
  },
  {
    name: 'a body of another type',
    request: post('/relationships', 'urn=x', {
      'X-HTTP-Method-Override': 'GET',
      'Content-Type': 'multipart/mixed; boundary=x',
    }),
    status: 400,
    message: 'application/x-www-form-urlencoded and not packed',
  },
  {
    name: 'a packed body',
    request: post('/relationships', 'urn=x', { ...override('GET'), 'Content-Encoding': 'gzip' }),
    status: 400,
    message: 'application/x-www-form-urlencoded and not packed',
  },
  ...[false, true].map((isChunked) => ({
    name: `a query that is larger than a body may be, ${isChunked ? 'chunked' : 'its length said'}`,
    request: { ...post('/relationships', `urn=${'x'.repeat(100_000)}`, override('GET')), isChunked },
    status: 413,
    message: 'larger than the limit',
  })),
];

/** Every path that is read, once. */
export const READ_PATHS: readonly string[] = [
  `/entitiesV2/${seed}`,
  `/entitiesV2?ids=${seed}`,
  `/entitiesV2/${seed}/timeline`,
  `/entities/${seed}`,
  `/entities?ids=${seed}`,
  `/entitiesVersionedV2?entityType=tag&ids=${seed}`,
  `/aspects/${seed}?aspect=status`,
  `/relationships?urn=${seed}&direction=OUTGOING&types=OwnedBy`,
  '/models/entities',
  '/models/entities/tag',
  '/models/aspects/status',
  '/health',
  '/config',
  '/openapi.json',
  '/restli/docs',
  '/schema-registry/api/subjects',
];

const options = (target: string, allow: string): WireCase => ({
  name: `OPTIONS ${target}`,
  request: { method: 'OPTIONS', target },
  status: 204,
  headers: { allow },
});

export const METHODS: readonly WireCase[] = [
  {
    name: 'HEAD of what is not there',
    request: { method: 'HEAD', target: `/aspects/${seed}?aspect=ownership` },
    status: 404,
  },
  {
    name: 'HEAD of actions alone',
    request: { method: 'HEAD', target: '/aspects' },
    status: 405,
    headers: { allow: 'POST, OPTIONS' },
  },
  options('/aspects', 'POST, OPTIONS'),
  options('/entities?action=search', 'POST, GET, HEAD, OPTIONS'),
  options(`/entitiesV2/${seed}`, 'GET, HEAD, OPTIONS'),
  options('/gms/relationships', 'POST, GET, HEAD, DELETE, OPTIONS'),
  ...(
    [
      ['PUT', '/relationships', 'POST, GET, HEAD, DELETE, OPTIONS'],
      ['DELETE', `/aspects/${SEED}`, 'GET, HEAD, OPTIONS'],
      ['PATCH', `/entitiesV2/${SEED}`, 'GET, HEAD, OPTIONS'],
      ['TRACE', '/aspects', 'POST, OPTIONS'],
      ['POST', `/entitiesV2/${SEED}`, 'GET, HEAD, OPTIONS'],
      ['GET', '/aspects', 'POST, OPTIONS'],
    ] as const
  ).map(([method, target, allow]) => ({
    name: `${method} ${target}`,
    request: { method, target },
    status: 405,
    message: `${method} operation not supported for URI: '`,
    headers: { allow },
  })),
  ...['/aspects', '/entities', '/gms/entities'].map((path) => ({
    name: `an action that does not exist on ${path}`,
    request: post(`${path}?action=nope`, '{}'),
    status: 400,
    message: `POST operation named nope not supported on resource '${path.split('/').at(-1) ?? ''}' URI: '`,
  })),
  ...['/aspects', '/aspects?action=', '/entities?x=1'].map((target) => ({
    name: `POST ${target}, which names no action`,
    request: post(target, '{}'),
    status: 400,
    message: "the query parameter 'action' is missing",
  })),
  ...['GET', 'PUT', 'DELETE', 'HEAD'].map((method) => ({
    name: `an action by ${method}`,
    request: { method, target: '/entities?action=search' },
    status: 400,
    ...(method === 'HEAD'
      ? {}
      : {
          message: `All action methods (specified via 'action' in URI) must be submitted as a POST (was ${method})`,
        }),
  })),
  {
    name: 'an action of a read',
    request: get(`/aspects/${SEED}?action=search`),
    status: 400,
    message: 'must be submitted as a POST (was GET)',
  },
  ...['/nonsense', '/gms/nonsense', '/entitiesV3/urn:li:tag:a'].map((target) => ({
    name: `the path ${target}`,
    request: get(target),
    status: 404,
    message: 'No root resource defined for path',
  })),
  {
    name: 'a call of the original that has another name here',
    request: post('/openapi/entities/v1/', '[]'),
    status: 404,
    message: 'Stratalog serves no POST /openapi/entities/v1; POST /openapi/v3/entity/{entityType} does',
  },
  {
    name: 'a call of the original that is not served',
    request: get('/openapi/v3/relationship/traverse?urn=urn:li:tag:a'),
    status: 404,
    message:
      'Stratalog serves no GET /openapi/v3/relationship/traverse; GET /restli/docs lists what it serves',
  },
];
