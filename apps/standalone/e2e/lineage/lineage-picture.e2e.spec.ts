import { beforeAll, describe, expect, it } from '@jest/globals';
import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/json';
import { dataset } from '../relationships/edge-forms';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const UNKNOWN_STAMP = { time: 0, actor: 'urn:li:corpuser:unknown' };
const CHART = 'urn:li:chart:(looker,sales)';
const column = (table: string, name: string): string => `urn:li:schemaField:(${dataset(table)},${name})`;
const upstreams = (...names: readonly string[]) => ({
  upstreams: names.map((name) => ({ dataset: dataset(name), type: 'TRANSFORMED' })),
});

describe('pictures of lineage', () => {
  const catalog = catalogForSuite();
  let waitFor: string;
  const draw = (urn: string, end: string) =>
    catalog.http.get(`/lineage/${encodeURIComponent(urn)}${end}`, { 'X-Stratalog-Wait-For': waitFor });
  const drawJson = async (urn: string, query = ''): Promise<JsonObject> => {
    const answer = await draw(urn, `.json${query}`);
    if (answer.status !== 200 || !isJsonObject(answer.json)) throw new Error(answer.body);
    return answer.json;
  };
  const degrees = (picture: JsonObject): readonly JsonValue[] =>
    (picture.nodes as readonly JsonObject[]).map(({ urn, degree }) => [urn ?? '', degree ?? '']);

  beforeAll(async () => {
    const { http } = catalog;
    // raw -> a -> b -> c -> chart, raw -> b, and gone <- a, soft-deleted; a column on the way.
    await http.write(dataset('a'), 'upstreamLineage', upstreams('raw'));
    await http.write(dataset('b'), 'upstreamLineage', {
      ...upstreams('a', 'raw'),
      fineGrainedLineages: [
        {
          upstreamType: 'FIELD_SET',
          upstreams: [column('a', 'x')],
          downstreamType: 'FIELD',
          downstreams: [column('b', 'y')],
        },
      ],
    });
    await http.write(dataset('b'), 'datasetProperties', {
      name: 'Orders <by> "day" & night',
      customProperties: {},
    });
    await http.write(dataset('c'), 'upstreamLineage', upstreams('b'));
    await http.write(CHART, 'chartInfo', {
      title: 'Sales',
      description: 'by month',
      inputs: [{ string: dataset('c') }],
      lastModified: { created: UNKNOWN_STAMP, lastModified: UNKNOWN_STAMP },
    });
    await http.write(dataset('gone'), 'upstreamLineage', upstreams('a'));
    waitFor = await http.write(dataset('gone'), 'status', { removed: true });
    await http.caughtUp();
  });

  it('pictures of lineage as JSON have subtypes, owners, and what produced the edges', async () => {
    const { http } = catalog;
    const query = 'urn:li:query:of-a-picture';
    await http.write(dataset('owned'), 'subTypes', { typeNames: ['View'] });
    await http.write('urn:li:corpuser:drawn', 'corpUserInfo', { active: true, displayName: 'Dee Drawn' });
    await http.write(dataset('owned'), 'ownership', {
      owners: [{ owner: 'urn:li:corpuser:drawn', type: 'DATAOWNER' }],
    });
    const upstream = { dataset: dataset('origin'), type: 'TRANSFORMED', query };
    const at = await http.write(dataset('owned'), 'upstreamLineage', { upstreams: [upstream] });
    await http.search('*', { waitFor: at });
    const picture = await http.get(`/lineage/${encodeURIComponent(dataset('owned'))}.json`, {
      'X-Stratalog-Wait-For': at,
    });
    expect(picture.json).toMatchObject({
      nodes: [
        {
          urn: dataset('owned'),
          subtype: 'View',
          owners: { total: 1, entities: [{ urn: 'urn:li:corpuser:drawn', name: 'Dee Drawn' }] },
        },
        { urn: dataset('origin') },
      ],
      edges: [{ from: dataset('origin'), to: dataset('owned'), via: [query] }],
    });
  });

  it('show what an entity is made from and what is made from it, with the edges between all of these', async () => {
    const picture = await drawJson(dataset('a'));
    expect(degrees(picture)).toEqual([
      [dataset('a'), 0],
      [dataset('raw'), -1],
      [dataset('b'), 1],
      [dataset('c'), 2],
      [CHART, 3],
    ]);
    const expected = [
      [dataset('raw'), dataset('a')],
      [dataset('a'), dataset('b')],
      [dataset('raw'), dataset('b')],
      [dataset('b'), dataset('c')],
      [dataset('c'), CHART],
    ];
    expect(at(picture, 'edges')).toHaveLength(expected.length);
    for (const [from, to] of expected) expect(at(picture, 'edges')).toContainEqual({ from, to });
    expect(at(picture, 'nodes')).toContainEqual({
      urn: dataset('b'),
      degree: 1,
      entityType: 'dataset',
      platform: 'hive',
      name: 'Orders <by> "day" & night',
      moreUpstream: 0,
      moreDownstream: 0,
    });
    expect(picture.partial).toBeUndefined();
  });

  it('count what they do not show', async () => {
    const near = await drawJson(dataset('b'), '?direction=DOWNSTREAM&maxHops=1');
    expect(degrees(near)).toEqual([
      [dataset('b'), 0],
      [dataset('c'), 1],
    ]);
    expect(at(near, 'nodes')).toMatchObject([{ moreUpstream: 0, moreDownstream: 0 }, { moreDownstream: 1 }]);
    const few = await drawJson(dataset('a'), '?maxNodes=2');
    expect(few).toMatchObject({ partial: true, nodes: [{ moreDownstream: 1, moreUpstream: 0 }, {}] });
    const all = await drawJson(dataset('a'), '?includeSoftDeleted=true&maxHops=1');
    expect(degrees(all)).toContainEqual([dataset('gone'), 1]);
  });

  it('show columns on demand, and those of a column always', async () => {
    const edge = {
      from: dataset('a'),
      to: dataset('b'),
      fromColumn: column('a', 'x'),
      toColumn: column('b', 'y'),
    };
    const withColumns = await drawJson(dataset('a'), '?columns=true&maxHops=1');
    expect(at(withColumns, 'edges')).toContainEqual(edge);
    expect(at(withColumns, 'nodes')).toMatchObject([
      { columns: [column('a', 'x')] },
      {},
      { columns: [column('b', 'y')] },
    ]);
    expect(await drawJson(column('b', 'y'))).toMatchObject({
      nodes: [
        { urn: dataset('b'), degree: 0, columns: [column('b', 'y')] },
        { urn: dataset('a'), degree: -1, columns: [column('a', 'x')] },
      ],
      edges: [edge],
    });
    expect(degrees(await drawJson(column('b', 'unknown')))).toEqual([[dataset('b'), 0]]);
  });

  it('are SVG that loads nothing, and text for Mermaid and Graphviz', async () => {
    const svg = await draw(dataset('a'), '.svg?columns=true');
    expect([svg.status, svg.headers['content-type'], svg.headers['content-security-policy']]).toEqual([
      200,
      'image/svg+xml',
      expect.stringMatching(/^default-src 'none'; style-src 'sha256-[^']+'; frame-ancestors 'none'$/),
    ]);
    expect(svg.body).toMatch(/^<svg .*<\/svg>\n$/s);
    expect(svg.body).toContain('Orders &#60;by&#62; &#34;day&#34; &#38; night');
    expect(svg.headers).toMatchObject({
      'x-stratalog-lag': '0',
      'x-stratalog-position': expect.any(String),
      'cross-origin-resource-policy': 'same-origin',
    });
    expect((await draw(dataset('a'), '.mmd')).body).toMatch(/^flowchart LR\n/);
    expect((await draw(dataset('a'), '.dot')).body).toMatch(/^digraph lineage \{\n/);
    const known = await catalog.http.get(`/lineage/${dataset('a')}.svg?columns=true`, {
      'If-None-Match': svg.headers.etag ?? '',
    });
    expect(known.status).toBe(304);
  });

  it('pictures of lineage of an entity without lineage, or unknown, show it alone', async () => {
    expect(await drawJson(dataset('unknown'))).toEqual({
      urn: dataset('unknown'),
      nodes: [
        {
          urn: dataset('unknown'),
          degree: 0,
          entityType: 'dataset',
          platform: 'hive',
          name: 'unknown',
          moreUpstream: 0,
          moreDownstream: 0,
        },
      ],
      edges: [],
    });
    expect((await draw(dataset('unknown'), '.svg')).status).toBe(200);
  });

  it.each([
    [dataset('a'), '', /\.svg, \.mmd, \.dot, \.json/],
    [dataset('a'), '.png', /\.svg, \.mmd, \.dot, \.json/],
    [dataset('a'), '.svgg', /did you mean \.svg/i],
    [dataset('a'), '.svg?maxNodes=201', /maxNodes/],
    [dataset('a'), '.svg?maxNodes=0', /maxNodes/],
    [dataset('a'), '.svg?maxHops=0', /maxHops/],
    [dataset('a'), '.svg?direction=SIDEWAYS', /allowed: UPSTREAM, DOWNSTREAM/],
    [dataset('a'), '.svg?columns=maybe', /columns/],
    ['urn:li:tag:pii', '.svg', /has no lineage/],
    ['no urn', '.svg', /Invalid urn/],
  ])('reject %s%s', async (urn, end, reason) => {
    const { status, json } = await draw(urn, end);
    expect([status, at(json, 'message')]).toEqual([400, expect.stringMatching(reason)]);
  });
});
