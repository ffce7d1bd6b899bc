import type { RawRequest } from '../testing/catalog/raw-http';
import { toBody } from '../testing/catalog/catalog-client';
import { get, post, type WireCase } from '../testing/catalog/wire-case';

/**
 * Written before the rows are sent: status, and tagProperties or datasetProperties where the type has them.
 */
export const SEED = 'urn:li:tag:seed';

const s3 = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:s3,${name},PROD)`;

/** Names that connectors make; each is written before the rows are sent. */
export const AWKWARD: readonly (readonly [what: string, urn: string])[] = [
  ['slashes', s3('data/raw//2024/a')],
  ['a percent sign', s3('100%')],
  ['what looks encoded', s3('a%2Cb%2F%25c')],
  ['parentheses and commas', s3('f(a,b)')],
  ['colons', s3('s3://x:y:z')],
  ['blanks and a plus', s3('my table + x')],
  ['Unicode', s3('größe.日本語.😀')],
  ['a question mark, a hash and quotes', s3('what?#a"b\'c')],
  ['dots between slashes', s3('a/../b/./c')],
  ['a comma in a plain id', 'urn:li:tag:one, two (three)'],
  ['a slash at its end', 'urn:li:tag:folder/'],
];

const CALLS: readonly (readonly [name: string, request: RawRequest])[] = [
  [
    'a proposal',
    post(
      '/aspects?action=ingestProposal',
      toBody({ urn: SEED, aspectName: 'status', value: { removed: false } }),
    ),
  ],
  ['an action with a slash before ?', post('/entities/?action=exists', `{"urn":"${SEED}"}`)],
  ['a search', post('/entities?action=search', '{"input":"*","entity":"tag","start":0,"count":1}')],
  ['an entity', get(`/entitiesV2/${SEED}?aspects=List(status)`)],
  ['several entities', get(`/entitiesV2?ids=List(${encodeURIComponent(SEED)})`)],
  ['several with a slash before ?', get(`/entitiesV2/?ids=List(${encodeURIComponent(SEED)})`)],
  ['a snapshot', get(`/entities/${encodeURIComponent(SEED)}`)],
  ['an aspect', get(`/aspects/${SEED}?aspect=status&version=0`)],
  [
    'relationships with a slash before ?',
    get(`/relationships/?urn=${SEED}&direction=OUTGOING&types=OwnedBy`),
  ],
  ['its timeline', get(`/entitiesV2/${encodeURIComponent(SEED)}/timeline`)],
  ['health', get('/health')],
  ['config', get('/config')],
  ['a page', get('/restli/docs')],
  ['the document for tools', get('/openapi.json')],
];

export const PREFIXES: readonly WireCase[] = [
  '',
  '/gms',
  '/api/gms',
  '//',
  '/api//gms',
  'http://catalog/gms',
].flatMap((prefix) =>
  CALLS.map(([name, request]) => ({
    name: `${name} under "${prefix}"`,
    request: { ...request, target: prefix + request.target },
    status: 200,
  })),
);

const half = (urn: string): string =>
  encodeURIComponent(urn).replaceAll('%28', '(').replaceAll('%29', ')').replaceAll('%2C', ',');

/**
 * A bare question mark ends a path, and text that looks encoded is decoded, so such names have no raw
 * spelling.
 */
const SPELLINGS: readonly (readonly [name: string, spell: (urn: string) => string | undefined])[] = [
  ['fully encoded', encodeURIComponent],
  ['half encoded', half],
  ['raw', (urn) => (/\?|%[0-9A-F]{2}/.test(urn) ? undefined : urn)],
];

export const URNS: readonly WireCase[] = AWKWARD.flatMap(([what, urn]) => [
  ...SPELLINGS.flatMap(([spelling, spell]) => {
    const path = spell(urn);
    if (path === undefined) return [];
    return [
      {
        name: `a urn with ${what}, ${spelling}, decoded once`,
        request: get(`/entitiesV2/${path}?aspects=List(status)`),
        status: 200,
        json: { urn, aspects: { status: { systemMetadata: { version: '1' } } } },
      },
      {
        name: `an aspect of a urn with ${what}, ${spelling}`,
        request: get(`/gms/aspects/${path}?aspect=status&version=1`),
        status: 200,
        json: { version: 1 },
      },
    ];
  }),
  {
    name: `a urn with ${what}, encoded twice`,
    request: get(`/aspects/${encodeURIComponent(encodeURIComponent(urn))}?aspect=status&version=0`),
    status: 400,
    message: 'Invalid urn',
  },
]);

const seedRead = { status: 200, json: { urn: SEED, aspects: { status: { value: { removed: false } } } } };

export const BLANKS: readonly WireCase[] = [
  ...[
    ['encoded, behind', `${SEED}%20%20`],
    ['encoded, before', `%20%20${SEED}`],
    ['bare, behind', `${encodeURIComponent(SEED)}  `],
    ['bare, on both sides', `  ${SEED} `],
    ['line ends, as a shell keeps them', `${SEED}%0D%0A`],
    ['tabs', `%09${SEED}%09`],
  ].map(([name = '', path = '']) => ({
    name: `blanks around a urn in the path: ${name}`,
    request: get(`/entitiesV2/${path}?aspects=status`),
    ...seedRead,
  })),
  {
    name: 'blanks around a urn of the query',
    request: get(`/relationships?urn=%20${SEED}+&direction=OUTGOING&types=%20OwnedBy`),
    status: 200,
    json: { total: 0 },
  },
  {
    name: 'blanks around the urns of a list',
    request: get(`/entitiesV2?ids=List(%20${SEED}%20,%20urn:li:tag:nobody)`),
    status: 200,
    json: { results: { [SEED]: { urn: SEED }, 'urn:li:tag:nobody': { urn: 'urn:li:tag:nobody' } } },
  },
  {
    name: 'a urn whose escapes are not UTF-8',
    request: get('/entitiesV2/urn:li:tag:%FF'),
    status: 400,
    message: 'not percent-encoded UTF-8',
  },
  {
    name: 'a urn with escapes of JSON as text, as the newest client writes it',
    request: post(
      '/aspects?action=ingestProposal',
      toBody({ urn: 'urn:li:tag:\\u65e5\\u672c', aspectName: 'status', value: { removed: false } }),
    ),
    status: 200,
    json: { value: 'urn:li:tag:日本' },
    then: { target: `/aspects/${encodeURIComponent('urn:li:tag:日本')}?aspect=status`, json: { version: 0 } },
  },
];
