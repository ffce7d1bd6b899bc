import { get, post, type WireCase } from '../testing/catalog/wire-case';
import { SEED } from './addresses';

const [ONE, OTHER] = [SEED, 'urn:li:dataset:(urn:li:dataPlatform:s3,f(a,b),PROD)'];
const [one, other] = [encodeURIComponent(ONE), encodeURIComponent(OTHER)];

/** Exactly these aspects, and the key, which is always included. */
const aspects = (...names: readonly string[]) => ({
  status: 200,
  json: { urn: SEED },
  aspects: [...names, 'tagKey'].sort(),
});
const both = { status: 200, json: { results: { [ONE]: { urn: ONE }, [OTHER]: { urn: OTHER } } } };

export const LISTS: readonly WireCase[] = [
  ...[
    ['List(a,b)', 'aspects=List(status,tagProperties)'],
    ['an encoded List', 'aspects=List%28status%2CtagProperties%29'],
    ['a List with encoded commas', 'aspects=List(status%2CtagProperties)'],
    ['repeated names', 'aspects=status&aspects=tagProperties'],
    ['names with commas', 'aspects=status,tagProperties'],
    ['names with encoded commas', 'aspects=status%2CtagProperties'],
    ['an empty list', 'aspects=List()'],
  ].flatMap(([name = '', query = '']) =>
    [{}, { 'X-RestLi-Protocol-Version': '1.0.0' }, { 'X-RestLi-Protocol-Version': '2.0.0' }].map(
      (headers) => ({
        name: `aspects as ${name}, with ${JSON.stringify(headers)}`,
        request: get(`/entitiesV2/${SEED}?${query}`, headers),
        ...aspects('status', 'tagProperties'),
      }),
    ),
  ),
  { name: 'one plain name', request: get(`/entitiesV2/${SEED}?aspects=status`), ...aspects('status') },
  { name: 'the key aspect', request: get(`/entitiesV2/${SEED}?aspects=List(tagKey)`), ...aspects() },
  {
    name: 'names that do not exist',
    request: get(`/entitiesV2/${SEED}?aspects=List(nothing,datasetProfile,a%01b)`),
    ...aspects(),
  },
  { name: 'no list', request: get(`/entitiesV2/${SEED}`), ...aspects('status', 'tagProperties') },
  ...[
    ['List of encoded urns', `ids=List(${one},${other})`],
    ['List of raw urns', `ids=List(${ONE},${OTHER})`],
    ['an encoded List', `ids=${encodeURIComponent(`List(${ONE},${OTHER})`)}`],
    ['repeated ids', `ids=${one}&ids=${other}`],
    ['repeated raw ids', `ids=${ONE}&ids=${OTHER}`],
    ['plain ids with commas', `ids=${ONE},${OTHER}`],
  ].map(([name = '', query = '']) => ({
    name: `urns as ${name}`,
    request: get(`/entitiesV2?${query}&aspects=status`),
    ...both,
  })),
  ...[
    'List(OwnedBy,TaggedWith)',
    'OwnedBy,TaggedWith',
    'OwnedBy&types=TaggedWith',
    'List%28OwnedBy%2CTaggedWith%29',
  ].map((types) => ({
    name: `types as ${types}`,
    request: get(`/relationships?urn=${other}&direction=OUTGOING&types=${types}`),
    status: 200,
    json: { relationships: [{ type: 'TaggedWith', entity: SEED }] },
  })),
  {
    name: 'a list that does not end',
    request: get(`/entitiesV2?ids=List(${SEED}`),
    status: 400,
    message: "Argument parameter 'ids' value 'List(urn:li:tag:seed' is invalid",
  },
];

const SEARCH = '{"input":"urn:\\"urn:li:tag:seed\\"","entity":"tag","start":0,"count":10}';
const search = (headers: Readonly<Record<string, string>>) =>
  post('/entities?action=search', SEARCH, headers);

export const PROTOCOLS: readonly WireCase[] = [
  ...(
    [
      ['none', {}, '2.0.0'],
      ['1.0.0', { 'X-RestLi-Protocol-Version': '1.0.0' }, '1.0.0'],
      ['2.0.0', { 'X-RestLi-Protocol-Version': '2.0.0' }, '2.0.0'],
      ['one in small letters', { 'x-restli-protocol-version': '1.0.0' }, '1.0.0'],
    ] as const
  ).flatMap(([name, headers, answered]) => [
    {
      name: `a read with protocol ${name}`,
      request: get(`/entitiesV2/${SEED}`, headers),
      status: 200,
      headers: { 'x-restli-protocol-version': answered },
    },
    {
      name: `a rejection with protocol ${name}`,
      request: get('/entitiesV2/nonsense', headers),
      status: 400,
      message: 'Invalid urn nonsense',
      headers: { 'x-restli-protocol-version': answered },
    },
  ]),
  {
    name: 'a search without protocol: urns',
    request: search({}),
    status: 200,
    json: { value: { entities: [SEED] } },
  },
  {
    name: 'a search with protocol 1.0.0: urns',
    request: search({ 'X-RestLi-Protocol-Version': '1.0.0' }),
    status: 200,
    json: { value: { entities: [SEED] } },
  },
  {
    name: 'a search with protocol 2.0.0: objects',
    request: search({ 'X-RestLi-Protocol-Version': '2.0.0' }),
    status: 200,
    json: { value: { entities: [{ entity: SEED }] } },
  },
  ...(
    [
      ['get', get(`/entitiesV2/${SEED}`)],
      ['batch_get', get(`/entitiesV2?ids=List(${one})`)],
      ['action', post('/entities?action=exists', `{"urn":"${SEED}"}`)],
      ['nonsense', get(`/entitiesV2/${SEED}`)],
      ['delete', get(`/entitiesV2/${SEED}`)],
    ] as const
  ).map(([method, request]) => ({
    name: `X-RestLi-Method: ${method}`,
    request: { ...request, headers: { 'X-RestLi-Method': method } },
    status: 200,
  })),
];
