import { get, post, type WireCase } from '../testing/catalog/wire-case';
import { SEED } from './addresses';

/** The configured origin of the second table. */
export const ORIGIN = 'https://catalog.example';
const OTHER = 'https://other.example';
const EXISTS = '/entities?action=exists';
const body = `{"urn":"${SEED}"}`;
const NONE = { 'access-control-allow-origin': undefined, 'access-control-allow-methods': undefined };

const ask = (origin: string) => ({
  method: 'OPTIONS',
  target: '/aspects?action=ingestProposal',
  headers: {
    Origin: origin,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization,content-type',
  },
});

const rejected = (name: string, headers: Readonly<Record<string, string>>): WireCase => ({
  name,
  request: post(EXISTS, body, headers),
  status: 403,
  message: 'Pages of other sites may not call the catalog',
  headers: NONE,
});

/** Rows that hold with any setting. */
const always: readonly WireCase[] = [
  rejected('a page of another origin writes', { Origin: OTHER }),
  rejected('an opaque origin writes', { Origin: 'null' }),
  rejected('a browser says that the call is from another site', { 'Sec-Fetch-Site': 'cross-site' }),
  {
    name: 'a page of another origin reads: an answer, but no permission to read it',
    request: get(`/entitiesV2/${SEED}`, { Origin: OTHER }),
    status: 200,
    headers: NONE,
  },
  { name: 'a page of another origin asks first', request: ask(OTHER), status: 204, headers: NONE },
  {
    name: 'our own page calls',
    request: post(EXISTS, body, { Origin: 'http://localhost', 'Sec-Fetch-Site': 'same-origin' }),
    status: 200,
    headers: NONE,
  },
];

export const CLOSED: readonly WireCase[] = [
  ...always,
  rejected('no origin is named', { Origin: ORIGIN }),
  { name: 'it asks first, and none is named', request: ask(ORIGIN), status: 204, headers: NONE },
];

const marked = { 'access-control-allow-origin': ORIGIN, vary: 'origin' };

export const OPENED: readonly WireCase[] = [
  ...always,
  {
    name: 'the named origin calls',
    request: post(EXISTS, body, { Origin: ORIGIN, 'Sec-Fetch-Site': 'cross-site' }),
    status: 200,
    headers: {
      ...marked,
      'access-control-expose-headers':
        'X-RestLi-Protocol-Version, X-RestLi-Error-Response, X-Stratalog-Position, X-Stratalog-Lag, X-Stratalog-Log-Position, X-Stratalog-Warnings, Retry-After',
    },
  },
  {
    name: 'it asks first, without a token',
    request: ask(ORIGIN),
    status: 204,
    headers: {
      ...marked,
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '600',
    },
  },
  {
    name: 'it is told of rejections too',
    request: get('/nowhere', { Origin: ORIGIN }),
    status: 404,
    message: 'No root resource defined',
    headers: marked,
  },
];
