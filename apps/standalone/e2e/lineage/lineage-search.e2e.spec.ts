import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonObject, type JsonOutputObject } from '@stratalog/json';
import { dataset } from '../relationships/edge-forms';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const CHART = 'urn:li:chart:(looker,sales)';
const upstreams = (...names: readonly string[]) => ({
  upstreams: names.map((name) => ({ dataset: dataset(name), type: 'TRANSFORMED' })),
});
const degree = (...values: readonly string[]) => ({ field: 'degree', values });
const origin = (value: string) => ({ field: 'origin', value });

const toText = ({ degree: hops, entity }: JsonObject): string => `${hops as number} ${entity as string}`;

describe('search within lineage', () => {
  const catalog = catalogForSuite();
  let waitFor: string;

  const post = (action: string, body: JsonOutputObject) =>
    catalog.http.post(`/entities?action=${action}`, stringifyJson(body), { 'X-Stratalog-Wait-For': waitFor });
  const search = async (more: JsonOutputObject = {}): Promise<JsonObject> => {
    const body = { urn: dataset('a'), direction: 'DOWNSTREAM', ...more };
    const answer = await post('searchAcrossLineage', body);
    if (answer.status !== 200) throw new Error(answer.body);
    return at(answer.json, 'value') as JsonObject;
  };
  const hits = async (more: JsonOutputObject = {}): Promise<readonly string[]> => {
    const entities = (await search({ sort: { field: 'urn' }, ...more })).entities as JsonObject[];
    return entities.map((each) => toText(each));
  };

  beforeAll(async () => {
    const { http } = catalog;
    // a -> b -> c -> d, a -> c, d -> chart; elsewhere has no lineage, and gone is soft-deleted.
    await http.write(dataset('a'), 'datasetProperties', { name: 'orders', description: 'raw orders' });
    await http.write(dataset('b'), 'upstreamLineage', upstreams('a'));
    await http.write(dataset('b'), 'datasetProperties', {
      name: 'orders_clean',
      description: 'clean orders',
    });
    await http.write(dataset('c'), 'upstreamLineage', upstreams('a', 'b'));
    await http.write(dataset('c'), 'datasetProperties', {
      name: 'revenue',
      description: 'revenue of orders',
    });
    await http.write(dataset('d'), 'upstreamLineage', upstreams('c'));
    await http.write(dataset('e'), 'upstreamLineage', upstreams('d'));
    await http.write(CHART, 'chartInfo', {
      title: 'Sales',
      description: 'orders by month',
      inputs: [{ string: dataset('d') }],
      lastModified: {
        created: { time: 0, actor: 'urn:li:corpuser:unknown' },
        lastModified: { time: 0, actor: 'urn:li:corpuser:unknown' },
      },
    });
    await http.write(dataset('gone'), 'upstreamLineage', upstreams('a'));
    await http.write(dataset('gone'), 'status', { removed: true });
    await http.write(dataset('elsewhere'), 'datasetProperties', { description: 'orders elsewhere' });
    waitFor = await http.write(dataset('missing'), 'status', { removed: true });
    await http.caughtUp();
  });

  it('finds everything downstream, with degrees and paths', async () => {
    expect(await hits()).toEqual([
      `3 ${CHART}`,
      `1 ${dataset('b')}`,
      `1 ${dataset('c')}`,
      `2 ${dataset('d')}`,
      `3 ${dataset('e')}`,
    ]);
    const { entities, ...rest } = await search({ input: 'revenue' });
    expect(entities).toEqual([
      {
        entity: dataset('c'),
        matchedFields: expect.arrayContaining([{ name: 'name', value: 'revenue' }]) as unknown,
        score: expect.any(Number) as unknown,
        degree: 1,
        degrees: [1],
        paths: [[dataset('a'), dataset('c')]],
        path: [dataset('a'), dataset('c')],
        explored: true,
      },
    ]);
    expect(rest).toMatchObject({ numEntities: 1, from: 0, pageSize: 10, lineageSearchPath: 'TORTOISE' });
    expect(rest).not.toHaveProperty('isPartial');
  });

  it('matches words, types and filters among them only', async () => {
    expect(await hits({ input: 'orders' })).toEqual([`3 ${CHART}`, `1 ${dataset('b')}`, `1 ${dataset('c')}`]);
    expect(await hits({ input: 'orders', entities: ['chart'] })).toEqual([`3 ${CHART}`]);
    expect(await hits({ filter: { or: [{ and: [origin('PROD')] }] }, maxHops: 1 })).toEqual([
      `1 ${dataset('b')}`,
      `1 ${dataset('c')}`,
    ]);
    expect(await hits({ direction: 'UPSTREAM', urn: dataset('d'), input: 'orders' })).toEqual([
      `2 ${dataset('a')}`,
      `2 ${dataset('b')}`,
      `1 ${dataset('c')}`,
    ]);
    expect(await hits({ searchFlags: { includeSoftDeleted: true }, maxHops: 1 })).toContain(
      `1 ${dataset('gone')}`,
    );
    expect(await hits({ urn: dataset('elsewhere') })).toEqual([]);
  });

  it('filters by degree, alone and with other criteria', async () => {
    expect(await hits({ filter: { or: [{ and: [degree('2', '3+')] }] } })).toEqual([
      `3 ${CHART}`,
      `2 ${dataset('d')}`,
      `3 ${dataset('e')}`,
    ]);
    const both = { or: [{ and: [degree('1'), origin('PROD')] }, { and: [origin('DEV'), degree('1')] }] };
    expect(await hits({ filter: both })).toEqual([`1 ${dataset('b')}`, `1 ${dataset('c')}`]);
    expect(await hits({ filter: { criteria: [degree('2')] } })).toEqual([`2 ${dataset('d')}`]);
  });

  it('counts facets over all matches, and degrees over their selection', async () => {
    const { metadata } = await search({ count: 0, filter: { or: [{ and: [degree('2')] }] } });
    const facets = at(metadata, 'aggregations') as JsonObject[];
    const facet = (name: string) => facets.find((each) => each.name === name);
    expect(facet('degree')).toEqual({
      name: 'degree',
      displayName: 'Degree of Dependencies',
      aggregations: { 1: 2, 2: 1, '3+': 2 },
      filterValues: [
        { value: '1', facetCount: 2 },
        { value: '2', facetCount: 1, filtered: true },
        { value: '3+', facetCount: 2 },
      ],
    });
    expect(facet('_entityType')?.aggregations).toEqual({ dataset: 1 });
    const named = await search({ count: 0, facets: ['degree', 'platform'] });
    expect((at(named.metadata, 'aggregations') as JsonObject[]).map(({ name }) => name)).toEqual([
      'degree',
      'platform',
    ]);
    const none = await search({ count: 0, searchFlags: { skipAggregates: true } });
    expect(at(none.metadata, 'aggregations')).toEqual([]);
  });

  it('pages, and scrolls through all matches', async () => {
    expect(await hits({ start: 1, count: 2 })).toEqual([`1 ${dataset('b')}`, `1 ${dataset('c')}`]);
    const walked: string[] = [];
    let scrollId: string | undefined;
    let pages = 0;
    do {
      const body = { urn: dataset('a'), direction: 'DOWNSTREAM', count: 2 };
      const answer = await post('scrollAcrossLineage', {
        ...body,
        ...(scrollId === undefined ? {} : { scrollId }),
      });
      const value = at(answer.json, 'value') as JsonObject;
      expect(value).toMatchObject({ numEntities: 5, pageSize: 2 });
      walked.push(...(value.entities as JsonObject[]).map((each) => toText(each)));
      scrollId = value.scrollId as string | undefined;
      expect((at(value.metadata, 'aggregations') as JsonObject[]).length > 0).toBe(pages++ === 0);
    } while (scrollId !== undefined);
    expect(walked).toEqual(await hits());
    const other = await post('scrollAcrossLineage', { urn: dataset('a'), direction: 'DOWNSTREAM', count: 2 });
    const of = at(other.json, 'value', 'scrollId') as string;
    const first = { urn: dataset('a'), direction: 'DOWNSTREAM', count: 2 };
    const changes: readonly (readonly [string, JsonOutputObject])[] = [
      ['urn', { urn: dataset('b') }],
      ['direction', { direction: 'UPSTREAM' }],
      ['maxHops', { maxHops: 1 }],
      ['level', { level: 'ENTITY' }],
      ['startTimeMillis', { startTimeMillis: 1 }],
      ['endTimeMillis', { endTimeMillis: 4_000_000_000_000 }],
      ['entitiesExploredPerHopLimit', { entitiesExploredPerHopLimit: 3 }],
      ['includeSoftDeleted', { includeSoftDeleted: true }],
      ['includeMissing', { includeMissing: false }],
      ['filter', { filter: { or: [{ and: [{ field: 'degree', value: '1' }] }] } }],
      ['input', { input: 'x' }],
      ['entities', { entities: ['dataset'] }],
      ['sort', { sort: { field: 'name' } }],
      ['searchFlags/includeSoftDeleted', { searchFlags: { includeSoftDeleted: true } }],
    ];
    for (const [name, change] of changes) {
      const moved = await post('scrollAcrossLineage', { ...first, ...change, scrollId: of });
      expect([moved.status, at(moved.json, 'message')]).toEqual([
        400,
        expect.stringContaining(
          `Parameter 'scrollId' belongs to another question: its first page had another '${name}'`,
        ),
      ]);
    }
  });

  it('takes a column as its entity, unless columns are asked for', async () => {
    const column = (table: string) => `urn:li:schemaField:(${dataset(table)},x)`;
    waitFor = await catalog.http.write(dataset('d'), 'upstreamLineage', {
      ...upstreams('c'),
      fineGrainedLineages: [
        {
          upstreamType: 'FIELD_SET',
          upstreams: [column('c')],
          downstreamType: 'FIELD_SET',
          downstreams: [column('d')],
        },
      ],
    });
    expect(await hits({ urn: column('c') })).toEqual([`1 ${dataset('d')}`]);
    expect(await hits({ urn: column('c'), level: 'COLUMN' })).toEqual([]);
  });

  it.each([
    [{ direction: 'SIDEWAYS' }, /'?direction'? is "SIDEWAYS"; allowed: UPSTREAM, DOWNSTREAM/],
    [{ urn: 'urn:li:tag:pii' }, /type tag, which has no lineage/],
    [{ start: -1 }, /start/],
    [{ maxHops: 1_001 }, /maxHops.*1000/],
    [{ entities: ['datset'] }, /datset/],
    [
      { filter: { or: [{ and: [{ field: 'degree', value: '4' }] }] } },
      /has a value that is none of 1, 2, 3\+/,
    ],
    [{ filter: { or: [{ and: [{ field: 'degree', condition: 'CONTAIN', value: '1' }] }] } }, /EQUAL or IN/],
    [
      { filter: { or: [{ and: [degree('1')] }, { and: [origin('PROD')] }] } },
      /all lists must select the same/,
    ],
    [
      { filter: { or: [{ and: [{ field: 'nothing', value: '1' }, degree('1')] }] } },
      /nothing is no searchable/,
    ],
  ])('rejects %j', async (wrong, reason) => {
    const answer = await post('searchAcrossLineage', {
      urn: dataset('a'),
      direction: 'DOWNSTREAM',
      ...wrong,
    });
    expect([answer.status, at(answer.json, 'message')]).toEqual([400, expect.stringMatching(reason)]);
  });
});
