import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonObject, type JsonOutput, type JsonValue } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const datasetOf = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,shop.${name},PROD)`;
const [A, B, C, GONE] = [datasetOf('a'), datasetOf('b'), datasetOf('c'), datasetOf('gone')] as const;
const TAG = 'urn:li:tag:shop';
const AUDIT = { time: 1_700_000_000_000, actor: 'urn:li:corpuser:ada' };

/** An edge in few words. */
const tagged = (urn: string): string => `${urn} TaggedWith ${TAG}`;
const derived = (urn: string, from: string): string => `${urn} DownstreamOf ${from}`;

describe('edges in the form of OpenAPI clients', () => {
  const catalog = catalogForSuite();
  const graph = { 'X-Stratalog-Wait-For': '' };
  const related = (query: string): Promise<Answer> =>
    catalog.http.get(`/openapi/relationships/v1/?urn=${encodeURIComponent(B)}&${query}`, graph);
  const scroll = (kind: 'relationship' | 'lineage', body: JsonOutput, query = ''): Promise<Answer> =>
    catalog.http.post(`/openapi/v3/${kind}/scroll?${query}`, stringifyJson(body), graph);
  const edgesIn = ({ status, json, body }: Answer): readonly string[] => {
    if (status !== 200) throw new Error(body);
    return (at(json, 'results') as readonly JsonObject[]).map((edge) =>
      [at(edge, 'source', 'urn'), edge.relationshipType, at(edge, 'destination', 'urn')]
        .map((part) => part as string)
        .join(' '),
    );
  };
  /** Follows the scroll ids to the end. */
  const all = async (...[kind, body, query = '']: Parameters<typeof scroll>): Promise<readonly string[]> => {
    const edges: string[] = [];
    for (let scrollId: string | undefined = ''; scrollId !== undefined;) {
      const answer = await scroll(kind, body, `${query}${scrollId === '' ? '' : `&scrollId=${scrollId}`}`);
      edges.push(...edgesIn(answer));
      scrollId = at(answer.json, 'scrollId') as string | undefined;
    }
    return edges.sort();
  };
  const urns = (...values: readonly string[]): JsonOutput => ({
    and: [{ criteria: [{ field: 'urn', values }] }],
  });

  beforeAll(async () => {
    for (const urn of [A, B]) await catalog.http.write(urn, 'globalTags', { tags: [{ tag: TAG }] });
    const upstreams = [A, GONE].map((dataset) => ({ dataset, type: 'TRANSFORMED', auditStamp: AUDIT }));
    await catalog.http.write(B, 'upstreamLineage', { upstreams });
    await catalog.http.write(C, 'upstreamLineage', {
      upstreams: [{ dataset: B, type: 'VIEW', auditStamp: AUDIT }],
    });
    graph['X-Stratalog-Wait-For'] = await catalog.http.write(GONE, 'status', { removed: true });
  });

  it('answers the entities one edge away, and an empty page behind the last', async () => {
    const whole = await related(
      'direction=OUTGOING&relationshipTypes=DownstreamOf&relationshipTypes=TaggedWith',
    );
    const entities = [
      { urn: A, relationshipType: 'DownstreamOf' },
      { urn: GONE, relationshipType: 'DownstreamOf' },
      { urn: TAG, relationshipType: 'TaggedWith' },
    ];
    expect(whole.json).toEqual({ start: 0, count: 3, total: 3, entities });
    expect(whole.headers['x-stratalog-lag']).toBe('0');
    const behind = await related('direction=OUTGOING&relationshipTypes=DownstreamOf&start=2');
    expect(behind.json).toEqual({ start: 2, count: 0, total: 2, entities: [] });
    const incoming = await related('direction=INCOMING');
    expect(incoming.json).toEqual({
      start: 0,
      count: 1,
      total: 1,
      entities: [{ urn: C, relationshipType: 'DownstreamOf' }],
    });
    const page = await related(
      'direction=OUTGOING&relationshipTypes=DownstreamOf,TaggedWith&start=1&count=1',
    );
    expect([at(page.json, 'count'), at(page.json, 'entities')]).toEqual([1, entities.slice(1, 2)]);
  });

  it('scrolls over all edges, each once, without those of soft-deleted ends unless they are wanted', async () => {
    const types = 'relationshipTypes=DownstreamOf&relationshipTypes=TaggedWith';
    const alive = [derived(B, A), derived(C, B), tagged(A), tagged(B)].sort();
    for (const count of [1, 2, 100])
      expect(await all('relationship', {}, `${types}&count=${String(count)}`)).toEqual(alive);
    expect(await all('relationship', {}, `${types}&includeSoftDelete=true`)).toEqual(
      [...alive, derived(B, GONE)].sort(),
    );
    const slices = await Promise.all(
      ['0', '1'].map((id) => all('relationship', {}, `${types}&count=1&sliceMax=2&sliceId=${id}`)),
    );
    expect(slices.flat().sort()).toEqual(alive);
    const [first] = (
      at((await scroll('relationship', {}, types)).json, 'results') as readonly JsonValue[]
    ).filter((edge) => at(edge, 'destination', 'urn') === A);
    expect(first).toEqual({
      relationshipType: 'DownstreamOf',
      source: { entityType: 'dataset', urn: B },
      destination: { entityType: 'dataset', urn: A },
    });
  });

  it('narrows edges by types and urns of their ends', async () => {
    expect(await all('relationship', {}, 'destinationTypes=tag')).toEqual([tagged(A), tagged(B)]);
    expect(await all('relationship', {}, 'sourceTypes=tag')).toEqual([]);
    expect(await all('relationship', {}, 'sourceTypes=tag&direction=INCOMING')).toEqual([
      tagged(A),
      tagged(B),
    ]);
    const body = { sourceFilter: urns(A, B), destinationFilter: urns(A, TAG) };
    expect(await all('relationship', body)).toEqual([tagged(A), derived(B, A), tagged(B)].sort());
    expect(await all('relationship', { sourceFilter: urns(TAG) }, 'direction=INCOMING')).toEqual([
      tagged(A),
      tagged(B),
    ]);
    expect(
      await all(
        'relationship',
        { sourceFilter: { and: [] }, edgeFilter: { and: [] } },
        'destinationTypes=tag',
      ),
    ).toEqual([tagged(A), tagged(B)]);
  });

  it('scrolls over lineage, of all entities or of some in one direction', async () => {
    const found = await scroll('lineage', { urns: [B] }, 'count=100');
    expect(edgesIn(found).toSorted()).toEqual([derived(B, A), derived(C, B)]);
    expect(at(found.json, 'results')).toContainEqual({
      relationshipType: 'DownstreamOf',
      source: { entityType: 'dataset', urn: C },
      destination: { entityType: 'dataset', urn: B },
      upstream: B,
      downstream: C,
    });
    expect(await all('lineage', { urns: [B] }, 'direction=UPSTREAM&count=1')).toEqual([derived(B, A)]);
    expect(await all('lineage', { urns: [B] }, 'direction=DOWNSTREAM')).toEqual([derived(C, B)]);
    expect(await all('lineage', { urns: [A, C] })).toEqual([derived(B, A), derived(C, B)]);
    expect(await all('lineage', {}, 'count=1')).toEqual([derived(B, A), derived(C, B)]);
    expect(await all('lineage', {}, 'relationshipTypes=Consumes')).toEqual([]);
  });

  it('continues a scroll only for the same question, and from a place of its own', async () => {
    const first = await scroll('lineage', { urns: [B] }, 'count=1');
    const id = at(first.json, 'scrollId') as string;
    const other = await scroll('lineage', { urns: [C] }, `count=1&scrollId=${id}`);
    expect([other.status, at(other.json, 'message')]).toEqual([
      400,
      "Parameter 'scrollId' belongs to another question: its first page had another 'ends'",
    ]);
    const members = JSON.parse(Buffer.from(id, 'base64url').toString()) as JsonObject;
    const forged = Buffer.from(JSON.stringify({ ...members, u: "x' or true" })).toString('base64url');
    const answer = await scroll('lineage', { urns: [B] }, `count=1&scrollId=${forged}`);
    expect([answer.status, at(answer.json, 'message')]).toEqual([400, 'The place is none of the graph']);
  });

  it.each<[string, JsonOutput, string, string]>([
    [
      'another field',
      { sourceFilter: { and: [{ criteria: [{ field: 'name', values: ['a'] }] }] } },
      '',
      '/sourceFilter/and/0/criteria/0/field :: must be urn',
    ],
    [
      'another comparison',
      { destinationFilter: { and: [{ criteria: [{ field: 'urn', condition: 'CONTAIN', values: ['a'] }] }] } },
      '',
      '/destinationFilter/and/0/criteria/0/condition :: is CONTAIN',
    ],
    [
      'a negated filter',
      { sourceFilter: { and: [{ criteria: [{ field: 'urn', negated: true, values: ['a'] }] }] } },
      '',
      '/sourceFilter/and/0/criteria/0/negated ::',
    ],
    [
      'a filter of edges',
      { edgeFilter: { and: [{ criteria: [] }] } },
      '',
      '/edgeFilter/and :: has 1 elements; at most 0',
    ],
    [
      'a direction of lineage',
      {},
      'direction=UPSTREAM',
      `Parameter 'direction' is "UPSTREAM"; allowed: OUTGOING, INCOMING`,
    ],
    [
      'a text as filter',
      { sourceFilter: 'x' },
      '',
      "'sourceFilter' value 'x' is invalid: it must be an object",
    ],
    ['half a slice', {}, 'sliceId=1', "Parameter 'sliceMax' is required"],
    [
      'what is no urn',
      { sourceFilter: { and: [{ criteria: [{ field: 'urn', values: ['a'] }] }] } },
      '',
      '/sourceFilter/and/0/criteria/0/values :: "a" is no urn',
    ],
    ['an unknown type', {}, 'sourceTypes=datset', 'did you mean dataset?'],
  ])('rejects %s with the form of all errors', async (_what, body, query, reason) => {
    const { status, json } = await scroll('relationship', body, query);
    expect([status, at(json, 'status'), at(json, 'message')]).toEqual([
      400,
      400,
      expect.stringContaining(reason),
    ]);
  });
});
