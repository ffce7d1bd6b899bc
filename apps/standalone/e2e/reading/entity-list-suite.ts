import { beforeAll, expect, it } from '@jest/globals';
import { stringifyJson, type JsonObject, type JsonOutput, type JsonValue } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const nameOf = (number: number): string => `shop.t${String(number).padStart(2, '0')}`;
const datasetOf = (platform: string, name: string): string =>
  `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},PROD)`;
const TABLES = Array.from({ length: 12 }, (_, at) => datasetOf('hive', nameOf(at)));
const OTHER = datasetOf('mysql', 'a/b c');
const HIDDEN = datasetOf('hive', 'shop.hidden');
const TAG = 'urn:li:tag:shop';
const RESOURCES = ['ada', 'bob'].map((key) => `urn:li:platformResource:${key}`);

/** The reads of OpenAPI clients that search, and that of one entity, on a catalog with these settings. */
export function entityListSuite(environment: Readonly<Record<string, string>>): void {
  const catalog = catalogForSuite({
    environment: { ...environment, STRATALOG_TOKEN: 'the-token-of-the-operator' },
  });
  let position = '';
  const inIndex = () => ({ 'X-Stratalog-Wait-For': position });
  const list = (query: string): Promise<Answer> => catalog.http.get(`/openapi/v3/entity/${query}`, inIndex());
  const scroll = (body: JsonOutput, query = ''): Promise<Answer> =>
    catalog.http.post(`/openapi/v3/entity/scroll${query}`, stringifyJson(body), inIndex());
  const urnsIn = ({ status, json, body }: Answer): readonly JsonValue[] => {
    if (status !== 200) throw new Error(body);
    return (at(json, 'entities') as readonly JsonObject[]).map(({ urn }) => urn ?? null);
  };
  /** Follows the scroll ids to the end. */
  const all = async (read: (scrollId: string) => Promise<Answer>): Promise<readonly JsonValue[]> => {
    const urns: JsonValue[] = [];
    for (let scrollId: string | undefined = ''; scrollId !== undefined;) {
      const answer = await read(scrollId === '' ? '' : `&scrollId=${scrollId}`);
      urns.push(...urnsIn(answer));
      scrollId = at(answer.json, 'scrollId') as string | undefined;
    }
    return urns;
  };

  beforeAll(async () => {
    for (const [number, urn] of TABLES.entries())
      await catalog.http.write(urn, 'datasetProperties', { name: nameOf(number), description: 'a table' });
    await catalog.http.write(OTHER, 'datasetProperties', { description: 'with a slash' });
    await catalog.http.write(HIDDEN, 'status', { removed: true });
    for (const [number, urn] of RESOURCES.entries()) {
      await catalog.http.write(urn, 'platformResourceInfo', {
        resourceType: number === 0 ? 'user role' : 'view',
        primaryKey: `team/${urn.split(':').at(-1) ?? ''}`,
      });
    }
    position = await catalog.http.write(TAG, 'tagProperties', { name: 'shop' });
  });

  it('reads all entities of a type page by page, each once, with its aspects', async () => {
    const first = await list('dataset?count=5&aspects=datasetProperties');
    expect(first.json).toEqual({
      scrollId: expect.any(String),
      totalCount: 13,
      entities: TABLES.slice(0, 5).map((urn, number) => ({
        urn,
        datasetProperties: { value: { name: nameOf(number), description: 'a table' } },
      })),
    });
    expect(first.headers['x-stratalog-lag']).toBe('0');
    const urns = await all((next) => list(`DATASET?count=5&aspects=datasetKey${next}`));
    expect(urns).toEqual([...TABLES, OTHER]);
    const hidden = await list('dataset?count=100&includeSoftDelete=true&aspects=status');
    expect(urnsIn(hidden)).toContain(HIDDEN);
  });

  it('takes the query that the client builds to find platform resources', async () => {
    const query = encodeURIComponent('(resourceType:"user role" AND primaryKey:"team\\/ada")');
    const found = await list(`platformresource?aspects=platformResourceKey&count=1000&query=${query}`);
    expect(found.json).toEqual({
      totalCount: 1,
      entities: [{ urn: RESOURCES[0], platformResourceKey: { value: { id: 'ada' } } }],
    });
  });

  it('scrolls over several types, by a filter whose outer list has alternatives', async () => {
    const hive = { field: 'platform', values: ['urn:li:dataPlatform:hive'], condition: 'EQUAL' };
    const name = { field: 'name', values: [nameOf(3)], condition: 'EQUAL' };
    const filter = {
      and: [
        { criteria: [hive, name] },
        { criteria: [{ field: 'urn', values: [OTHER, TAG], condition: 'EQUAL' }] },
      ],
    };
    const found = await scroll({ entities: ['tag', 'dataset'], filter });
    expect(found.json).toEqual({
      totalCount: 3,
      entities: [{ urn: TABLES[3] }, { urn: OTHER }, { urn: TAG }],
    });
    const negated = { and: [{ criteria: [{ ...hive, negated: true }] }] };
    expect(urnsIn(await scroll({ entities: ['dataset'], filter: negated }))).toEqual([OTHER]);
  });

  it('answers urns without aspects, all aspects for an empty list, and metadata when wanted', async () => {
    const filter = { and: [{ criteria: [{ field: 'urn', values: [TAG], condition: 'EQUAL' }] }] };
    expect(at((await scroll({ filter })).json, 'entities')).toEqual([{ urn: TAG }]);
    const whole = (await scroll({ filter, aspects: [] }, '?systemMetadata=true')).json;
    expect(at(whole, 'entities')).toEqual([
      {
        urn: TAG,
        tagKey: expect.objectContaining({ value: { name: 'shop' } }),
        tagProperties: {
          value: { name: 'shop' },
          systemMetadata: expect.objectContaining({ version: '1' }),
          auditStamp: expect.objectContaining({ actor: 'urn:li:corpuser:unknown' }),
        },
      },
    ]);
  });

  it('orders by fields', async () => {
    const sortCriteria = [{ field: 'name', order: 'DESCENDING' }];
    const found = await scroll({ entities: ['dataset'], sortCriteria }, '?count=2');
    expect(urnsIn(found)).toEqual([TABLES[11], TABLES[10]]);
    expect(urnsIn(await list('dataset?sort=name&count=2'))).toEqual(TABLES.slice(0, 2));
  });

  it('divides a scroll into slices that have no entity in common, and all together', async () => {
    const slices = await Promise.all(
      [0, 1, 2].map((slice) =>
        all((next) =>
          scroll({ entities: ['dataset'] }, `?count=4&sliceId=${String(slice)}&sliceMax=3${next}`),
        ),
      ),
    );
    expect(slices.flat().sort()).toEqual([...TABLES, OTHER].sort());
    expect(slices.filter(({ length }) => length > 0).length).toBeGreaterThan(1);
  });

  it('continues a scroll only for the same question', async () => {
    const { json } = await scroll({ entities: ['dataset'] }, '?count=2&sliceId=0&sliceMax=2');
    const id = at(json, 'scrollId') as string;
    const other = await scroll({ entities: ['dataset'] }, `?count=2&sliceId=1&sliceMax=2&scrollId=${id}`);
    expect([other.status, at(other.json, 'message')]).toEqual([
      400,
      "Parameter 'scrollId' belongs to another question: its first page had another 'sliceId'",
    ]);
  });

  it('reads one entity by its urn, encoded or not, and tells by HEAD whether it exists', async () => {
    for (const urn of [encodeURIComponent(OTHER), OTHER.replace(' ', '%20')]) {
      const found = await catalog.http.get(`/openapi/v3/entity/dataset/${urn}?aspects=datasetProperties`);
      expect([found.status, found.json]).toEqual([
        200,
        { urn: OTHER, datasetProperties: { value: { description: 'with a slash' } } },
      ]);
    }
    const target = `/gms/openapi/v3/entity/tag/${TAG}`;
    const whole = await catalog.http.get(`${target}?systemMetadata=true`);
    expect(Object.keys(whole.json as object)).toEqual(['urn', 'tagKey', 'tagProperties']);
    const head = await catalog.http.send({ method: 'HEAD', target });
    const never = await catalog.http.send({ method: 'HEAD', target: `${target}-never` });
    expect([head.status, head.body, never.status]).toEqual([200, '', 404]);
    const missing = await catalog.http.get(`${target}-never`);
    expect([missing.status, at(missing.json, 'message')]).toEqual([404, `There is no entity ${TAG}-never`]);
  });

  it.each<[string, JsonOutput, string, string]>([
    [
      'an unknown field',
      { filter: { and: [{ criteria: [{ field: 'nmae', values: ['a'] }] }] } },
      '',
      '/filter/and/0/criteria/0/field ::',
    ],
    [
      'a criterion that is none',
      { filter: { and: [{ criteria: ['x'] }] } },
      '',
      '/filter/and/0/criteria/0 ::',
    ],
    ['a list that is none', { filter: { and: ['x'] } }, '', '/filter/and/0 :: is not an object'],
    ['an outer list that is none', { filter: { and: 'x' } }, '', '/filter/and :: is not a list'],
    ['an unknown type', { entities: ['datset'] }, '', 'did you mean dataset?'],
    ['an unknown field to order by', {}, '?sort=nmae', '/sort :: '],
    ['half a slice', {}, '?sliceId=1', "Parameter 'sliceMax' is required"],
    ['another half', {}, '?sliceMax=2', "Parameter 'sliceId' is required"],
    ['a slice behind the last', {}, '?sliceId=2&sliceMax=2', 'it must be less than sliceMax'],
    ['too large a page', {}, '?count=1001', "Argument parameter 'count' value '1001' is invalid"],
    ['a scroll id of its own', {}, '?scrollId=mine', "Parameter 'scrollId' is none that this catalog gave"],
    ['a time that is none', {}, '?pitKeepAlive=forever', "'pitKeepAlive'"],
    ['a list as body', [], '', 'not a JSON object'],
  ])('rejects %s with the form of all errors', async (_what, body, query, reason) => {
    const { status, json } = await scroll(body, query);
    expect([status, at(json, 'status'), at(json, 'message')]).toEqual([
      400,
      400,
      expect.stringContaining(reason),
    ]);
  });

  it('takes no parameter of the query from the body', async () => {
    const found = await scroll({ entities: ['dataset'], count: 2 });
    expect(urnsIn(found)).toHaveLength(10);
    expect(found.headers['x-stratalog-warnings']).toContain('/count');
  });
}
