import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  InvalidRequestError,
  type EdgeDirection,
  type EdgesPage,
  type EdgesRequest,
  type RelationshipRequest,
} from '@stratalog/domain';
import type { GraphIndex } from '@stratalog/ports';
import fc from 'fast-check';
import { collectEdges, datasetUrn, indexVersionsContract, toEdge } from '@stratalog/testkit';
import { openEmptyGraph, openEmptyGraphVersions } from '../testing/empty-graph.fixture';
import { useSuiteDatabase } from '../testing/suite-database';

const HUB = 'urn:li:tag:hub';
const tag = (name: string): string => `urn:li:tag:${name}`;
const [A, B, C] = [datasetUrn('a'), datasetUrn('b'), datasetUrn('c')] as const;

describe('PostgresGraphIndex', () => {
  const suite = useSuiteDatabase({ poolSize: 8 });
  let graph: GraphIndex;

  indexVersionsContract({
    name: 'GraphIndexVersions',
    open: async () => ({
      versions: await openEmptyGraphVersions(suite.database),
      lose: async ({ name }) => {
        await suite.database.use((client) => client.query(`drop table ${name}`));
      },
    }),
    project: (urn, seq) => collectEdges(urn, seq, { globalTags: [`TaggedWith ${HUB}`] }),
    urnsIn: (index: GraphIndex) => ends(index, HUB, 'INCOMING', ['TaggedWith']),
  });

  beforeEach(async () => {
    graph = await openEmptyGraph(suite.database);
  });

  it('answers the other ends in both directions, of the types that are asked for', async () => {
    await graph.write(
      [
        collectEdges(A, 1, { globalTags: [`TaggedWith ${HUB}`], ownership: ['OwnedBy urn:li:corpuser:x'] }),
        collectEdges(B, 2, { globalTags: [`TaggedWith ${HUB}`], upstreamLineage: [`DownstreamOf ${A}`] }),
      ],
      new Map(),
    );
    expect(await ends(graph, HUB, 'INCOMING', ['TaggedWith'])).toEqual([A, B]);
    expect(await ends(graph, HUB, 'INCOMING', ['OwnedBy'])).toEqual([]);
    expect(await ends(graph, HUB, 'OUTGOING', ['TaggedWith'])).toEqual([]);
    expect(await ends(graph, A, 'OUTGOING', ['TaggedWith', 'OwnedBy'])).toEqual(['urn:li:corpuser:x', HUB]);
    expect(await ends(graph, A, 'UNDIRECTED', ['DownstreamOf', 'TaggedWith'])).toEqual([B, HUB]);
    expect(await ends(graph, A, 'OUTGOING', [])).toEqual([]);
    expect(await ends(graph, C, 'UNDIRECTED', ['TaggedWith'])).toEqual([]);
  });

  it('counts the other ends by relationship and direction, each end once', async () => {
    const twice = [`TaggedWith ${HUB}`, `TaggedWith ${tag('other')}`];
    await graph.write(
      [
        collectEdges(A, 1, { globalTags: twice, editableTags: twice, own: [`DownstreamOf ${A}`] }),
        collectEdges(B, 2, { globalTags: [`TaggedWith ${HUB}`], upstreamLineage: [`DownstreamOf ${A}`] }),
      ],
      new Map([[0, 2]]),
    );
    expect(await graph.countRelated(A)).toEqual({
      counts: [
        { relationship: 'DownstreamOf', direction: 'INCOMING', count: 2 },
        { relationship: 'DownstreamOf', direction: 'OUTGOING', count: 1 },
        { relationship: 'TaggedWith', direction: 'OUTGOING', count: 2 },
      ],
      position: new Map([[0, 2]]),
    });
    expect((await graph.countRelated(HUB)).counts).toEqual([
      { relationship: 'TaggedWith', direction: 'INCOMING', count: 2 },
    ]);
    expect(await graph.countRelated(C)).toEqual({ counts: [], position: new Map([[0, 2]]) });
  });

  it('reads all edges page by page, each once, narrowed to those that are asked for', async () => {
    const twice = [`TaggedWith ${HUB}`];
    await graph.write(
      [
        collectEdges(A, 1, { globalTags: twice, editableTags: twice, own: [`DownstreamOf ${A}`] }),
        collectEdges(B, 2, {
          globalTags: twice,
          upstreamLineage: [`DownstreamOf ${A}`, `DownstreamOf ${C}`],
        }),
      ],
      new Map([[0, 2]]),
    );
    const read = async (request: Partial<EdgesRequest>, count = 2): Promise<readonly string[]> => {
      const found: string[] = [];
      for (let after: string | undefined = ''; after !== undefined;) {
        const page: EdgesPage = await graph.edges({ ...request, count, ...(after !== '' && { after }) });
        found.push(...page.edges.map((edge) => [edge.source, edge.relationship, edge.destination].join(' ')));
        after = page.next;
      }
      return found;
    };
    const text = (source: string, relationship: string, destination: string): string =>
      [source, relationship, destination].join(' ');
    const tags = [A, B].map((urn) => text(urn, 'TaggedWith', HUB));
    const lineage = [text(A, 'DownstreamOf', A), text(B, 'DownstreamOf', A), text(B, 'DownstreamOf', C)];
    for (const count of [1, 2, 5, 100])
      expect([...(await read({}, count))].sort()).toEqual([...lineage, ...tags].sort());
    expect([...(await read({ relationships: ['TaggedWith', 'OwnedBy'] }))].sort()).toEqual(tags);
    expect([...(await read({ destinationTypes: ['tag'], sourceTypes: ['dataset'] }))].sort()).toEqual(tags);
    expect(await read({ sourceTypes: ['tag'] })).toEqual([]);
    expect(await read({ relationships: [] })).toEqual([]);
    expect([...(await read({ sources: [B] }))].sort()).toEqual([...lineage.slice(1), tags[1] ?? ''].sort());
    expect(await read({ destinations: [C], sources: [B, A] })).toEqual([lineage[2]]);
    expect([...(await read({ ends: [A], relationships: ['DownstreamOf'] }))].sort()).toEqual(
      lineage.slice(0, 2),
    );
    expect(await graph.edges({ sources: [C], count: 1 })).toEqual({
      edges: [],
      position: new Map([[0, 2]]),
    });
    await expect(graph.edges({ after: 'somewhere', count: 1 })).rejects.toThrow(InvalidRequestError);
  });

  it('tells edges of lineage from others', async () => {
    const edges = [toEdge(A, 'DownstreamOf', B, { isLineage: true }), toEdge(A, 'TaggedWith', HUB)];
    await graph.write([{ urn: A, seq: 1, sets: [{ aspectName: 'x', edges }] }], new Map());
    expect((await graph.edges({ isLineage: true, count: 10 })).edges).toEqual(edges.slice(0, 1));
  });

  it('keeps everything that an edge says', async () => {
    const edge = toEdge(A, 'DownstreamOf', B, {
      isLineage: true,
      isUpstream: false,
      created: { time: 1, actor: 'urn:li:corpuser:ä' },
      updated: { time: 2_000_000_000_000, actor: 'urn:li:corpuser:b' },
      properties: { source: 'UI', 'a "b"': '\u0000\n😀' },
      via: 'urn:li:query:q',
    });
    await graph.write(
      [{ urn: A, seq: 1, sets: [{ aspectName: 'upstreamLineage', edges: [edge] }] }],
      new Map(),
    );
    const { related } = await graph.related(request(B, 'INCOMING', ['DownstreamOf']));
    expect(related).toEqual([{ entity: A, edge }]);
  });

  it.each([601, 2_600, 20_000, 65_000])('holds ends of %i characters', async (length) => {
    // Nothing repeats, so that nothing compresses it; the last characters alone tell the columns apart.
    const path = Array.from({ length }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000)));
    const long = (end: string): string =>
      `urn:li:schemaField:(${B},${path.join('').slice(0, length - 100)}${end})`;
    const [x, y, own] = [
      long('x'),
      long('y'),
      `urn:li:schemaField:(${A},${path.join('').slice(0, length - 100)})`,
    ];
    const edges = [
      toEdge(own, 'DownstreamOf', x, { isLineage: true }),
      toEdge(A, 'DownstreamOf', y, { isLineage: true }),
      toEdge(A, 'DownstreamOf', x, { isLineage: true }),
    ];
    const entry = (seq: number, kept: typeof edges) =>
      graph.write([{ urn: A, seq, sets: [{ aspectName: 'upstreamLineage', edges: kept }] }], new Map());
    await entry(1, edges);
    const related = async (urn: string, direction: EdgeDirection) =>
      (await graph.related(request(urn, direction, ['DownstreamOf']))).related.map(({ entity, edge }) => ({
        entity,
        ends: [edge.source, edge.destination],
      }));
    expect(await related(own, 'OUTGOING')).toEqual([{ entity: x, ends: [own, x] }]);
    expect(await related(y, 'INCOMING')).toEqual([{ entity: A, ends: [A, y] }]);
    const ofX = await related(x, 'UNDIRECTED');
    expect(ofX.map(({ entity }) => entity).sort()).toEqual([A, own].sort());
    const scope = { direction: 'UPSTREAM', level: 'COLUMN' } as const;
    const hop = await graph.lineageHop({ ...scope, urns: [own, A], limitPerUrn: 10, limit: 10 });
    expect(hop.steps.map(({ near, far }) => [near, far]).sort()).toEqual(
      [
        [own, x],
        [A, x],
        [A, y],
      ].sort(),
    );
    const page = await graph.lineagePage({ ...scope, urn: own, start: 0, count: 10 });
    expect(page).toMatchObject({ total: 1, edges: [{ near: own, far: x }] });
    const pairs = [
      { near: A, far: y },
      { near: own, far: x },
      { near: own, far: y },
    ];
    const between = await graph.lineageEdges({ ...scope, ends: pairs, exceptVia: [], limitPerPair: 1 });
    expect(between.map(({ near, far }) => ({ near, far }))).toEqual(pairs.slice(0, 2));
    expect(await graph.lineageColumns(A, 'UPSTREAM', 10)).toEqual([own]);
    expect([...(await graph.lineageColumns(B, 'DOWNSTREAM', 10))].sort()).toEqual([x, y].sort());
    expect(await graph.count()).toBe(1);
    await entry(2, edges.slice(0, 1));
    expect(await related(A, 'OUTGOING')).toEqual([]);
    expect(await related(x, 'INCOMING')).toEqual([{ entity: own, ends: [own, x] }]);
    await graph.removeEdges(x);
    expect(await related(own, 'OUTGOING')).toEqual([]);
  });

  it('replaces the edges of an entity, aspect by aspect', async () => {
    const types = ['TaggedWith', 'OwnedBy'];
    await graph.write(
      [collectEdges(A, 1, { globalTags: [`TaggedWith ${HUB}`, `TaggedWith ${tag('x')}`] })],
      new Map(),
    );
    await graph.write(
      [collectEdges(A, 2, { globalTags: [`TaggedWith ${tag('y')}`, `TaggedWith ${tag('x')}`] })],
      new Map(),
    );
    expect(await ends(graph, A, 'OUTGOING', types)).toEqual([tag('x'), tag('y')]);
    await graph.write([collectEdges(A, 3, { ownership: [`OwnedBy ${HUB}`] })], new Map());
    expect(await ends(graph, A, 'OUTGOING', types)).toEqual([HUB]);
    await graph.write([collectEdges(A, 4, {})], new Map());
    expect(await ends(graph, A, 'UNDIRECTED', types)).toEqual([]);
  });

  it('replaces the edges of an entity that draws very many', async () => {
    const many = (seq: number, from: number) =>
      collectEdges(A, seq, {
        globalTags: Array.from({ length: 9_000 }, (_, at) => `TaggedWith ${tag(String(from + at))}`),
      });
    const totalOf = async (urn: string, direction: EdgeDirection) =>
      (await graph.related(request(urn, direction, ['TaggedWith']))).total;
    await graph.write(
      [many(1, 0), collectEdges(B, 1, { globalTags: [`TaggedWith ${HUB}`] })],
      new Map([[0, 1]]),
    );
    await graph.write([many(3, 5_000)], new Map([[0, 3]]));
    await graph.write([many(2, 0)], new Map([[0, 2]]));
    expect(await totalOf(A, 'OUTGOING')).toBe(9_000);
    for (const [name, total] of [
      [4_999, 0],
      [5_000, 1],
      [9_000, 1],
      [13_999, 1],
      [14_000, 0],
    ] as const) {
      expect([name, await totalOf(tag(String(name)), 'INCOMING')]).toEqual([name, total]);
    }
    expect(await ends(graph, HUB, 'INCOMING', ['TaggedWith'])).toEqual([B]);
    expect(await graph.filterPresent([A, B])).toEqual([A, B]);
    expect(await graph.position()).toEqual(new Map([[0, 3]]));
  });

  it('GraphIndex never lets an entity go back behind its seq, not even one that draws nothing any more', async () => {
    const entry = (seq: number, name: string) =>
      collectEdges(A, seq, { globalTags: [`TaggedWith ${tag(name)}`] });
    const now = () => ends(graph, A, 'OUTGOING', ['TaggedWith']);
    await graph.write([entry(5, 'five')], new Map());
    await graph.write([entry(4, 'four')], new Map());
    expect(await now()).toEqual([tag('five')]);
    await graph.write([entry(5, 'again')], new Map());
    expect(await now()).toEqual([tag('again')]);
    await graph.write([collectEdges(A, 7, {})], new Map());
    await graph.write([entry(6, 'late')], new Map());
    expect(await now()).toEqual([]);
    await graph.write([collectEdges(B, 9, {})], new Map());
    await graph.write([collectEdges(B, 8, { globalTags: [`TaggedWith ${HUB}`] })], new Map());
    expect(await ends(graph, HUB, 'INCOMING', ['TaggedWith'])).toEqual([]);
    await graph.write([entry(8, 'new')], new Map());
    expect(await now()).toEqual([tag('new')]);
  });

  it('ends with the newest entry of each entity, in whatever order several write at once', async () => {
    const urns = Array.from({ length: 6 }, (_, at) => datasetUrn(`race${String(at)}`));
    const at = (seq: number) =>
      urns.map((urn) =>
        collectEdges(urn, seq, {
          globalTags: [`TaggedWith ${tag(String(seq % 3))}`, `TaggedWith ${tag(`only${String(seq)}`)}`],
        }),
      );
    const seqs = Array.from({ length: 24 }, (_, index) => ((index * 7) % 24) + 1);
    await Promise.all(
      seqs.map((seq) => graph.write(seq % 2 === 0 ? at(seq) : [...at(seq)].reverse(), new Map([[0, seq]]))),
    );
    for (const urn of urns) {
      expect(await ends(graph, urn, 'OUTGOING', ['TaggedWith'])).toEqual([tag('0'), tag('only24')]);
    }
    expect(await graph.position()).toEqual(new Map([[0, 24]]));
  });

  it('counts all, pages in a stable order, and tells its position with each answer', async () => {
    const urns = Array.from({ length: 25 }, (_, at) => datasetUrn(`d${String(at).padStart(2, '0')}`));
    await graph.write(
      [...urns].reverse().map((urn) => collectEdges(urn, 1, { a: [`B ${HUB}`], b: [`A ${HUB}`] })),
      new Map([[3, 9]]),
    );
    const pages = await Promise.all(
      [0, 20, 40, 60].map((start) =>
        graph.related({ ...request(HUB, 'INCOMING', ['A', 'B']), start, count: 20 }),
      ),
    );
    expect(pages.map(({ total }) => total)).toEqual([50, 50, 50, 50]);
    const related = pages.flatMap((page) => page.related);
    expect(related.map(({ edge, entity }) => `${edge.relationship} ${entity}`)).toEqual(
      ['A', 'B'].flatMap((type) => urns.map((urn) => `${type} ${urn}`)),
    );
    expect(pages.map(({ position }) => position)).toEqual(pages.map(() => new Map([[3, 9]])));
    expect(await graph.related({ ...request(HUB, 'INCOMING', ['A']), count: 0 })).toMatchObject({
      total: 25,
      related: [],
    });
  });

  it('GraphIndex has an edge that several aspects draw once, as it was first created', async () => {
    const drawn = (aspectName: string, time: number) => ({
      aspectName,
      edges: [toEdge(A, 'TaggedWith', HUB, { created: { time, actor: `urn:li:corpuser:${aspectName}` } })],
    });
    await graph.write([{ urn: A, seq: 1, sets: [drawn('a', 7), drawn('b', 5)] }], new Map());
    const answer = await graph.related(request(HUB, 'INCOMING', ['TaggedWith']));
    expect(answer).toMatchObject({ total: 1, related: [{ entity: A, edge: { created: { time: 5 } } }] });
    await graph.write([{ urn: A, seq: 2, sets: [drawn('a', 7)] }], new Map());
    expect(await graph.related(request(A, 'OUTGOING', ['TaggedWith']))).toMatchObject({
      total: 1,
      related: [{ edge: { created: { time: 7, actor: 'urn:li:corpuser:a' } } }],
    });
  });

  it('GraphIndex has an edge from an entity to itself once in each direction', async () => {
    await graph.write([collectEdges(A, 1, { x: [`Is ${A}`] })], new Map());
    for (const direction of ['OUTGOING', 'INCOMING', 'UNDIRECTED'] as const) {
      expect(await ends(graph, A, direction, ['Is'])).toEqual([A]);
    }
  });

  it('holds edges between urns as long as there are', async () => {
    const long = (name: string) => `urn:li:schemaField:(${A},${name.repeat(1_900)})`;
    await graph.write([collectEdges(long('x'), 1, { x: [`Is ${long('y')}`, `Is ${long('z')}`] })], new Map());
    expect(await ends(graph, long('x'), 'OUTGOING', ['Is'])).toEqual([long('y'), long('z')]);
    expect(await ends(graph, long('z'), 'INCOMING', ['Is'])).toEqual([long('x')]);
  });

  it('removes what begins or ends at a urn, until its entities come again', async () => {
    const entry = (seq: number) => collectEdges(A, seq, { x: [`Is ${B}`, `Is ${C}`] });
    await graph.write([entry(5), collectEdges(B, 6, { x: [`Is ${C}`] })], new Map());
    await graph.removeEdges(B);
    expect(await ends(graph, B, 'UNDIRECTED', ['Is'])).toEqual([]);
    expect(await ends(graph, C, 'INCOMING', ['Is'])).toEqual([A]);
    await graph.write([entry(4), collectEdges(B, 5, { x: [`Is ${C}`] })], new Map());
    expect(await ends(graph, B, 'UNDIRECTED', ['Is'])).toEqual([]);
    await graph.write([entry(6)], new Map());
    expect(await ends(graph, B, 'INCOMING', ['Is'])).toEqual([A]);
    await graph.removeEdges(tag('nobody'));
  });

  it('counts an entity without edges, and one of whose edges some were removed on purpose', async () => {
    await graph.write([collectEdges(A, 1, { x: [`Is ${B}`, `Is ${C}`] }), collectEdges(B, 1, {})], new Map());
    await graph.removeEdges(C);
    expect(await graph.count()).toBe(2);
    expect(await graph.filterPresent([A, B, C])).toEqual([A, B]);
  });

  it('tells equal contents from different ones, and leaves out who draws nothing', async () => {
    const [first, second] = [
      collectEdges(A, 1, { x: [`Is ${C}`] }),
      collectEdges(B, 1, { x: [`Is ${C}`] }),
    ] as const;
    await graph.write([first, second, collectEdges(C, 1, {})], new Map());
    const before = await graph.fingerprintsAfter(undefined, 10);
    expect(before.map(({ urn }) => urn)).toEqual([A, B]);
    expect(await graph.fingerprintsAfter(A, 10)).toEqual(before.slice(1));
    expect(await graph.fingerprintsAfter(undefined, 1)).toEqual(before.slice(0, 1));
    const other = toEdge(B, 'Is', C, { via: 'urn:li:query:q' });
    await graph.write(
      [
        { ...first, seq: 2 },
        { urn: B, seq: 2, sets: [{ aspectName: 'x', edges: [other] }] },
      ],
      new Map(),
    );
    const after = await graph.fingerprintsAfter(undefined, 10);
    expect(after[0]).toEqual(before[0]);
    expect(after[1]?.fingerprint).not.toBe(before[1]?.fingerprint);
  });

  it('holds just what the last entries draw, whatever came before', async () => {
    const urns = [A, B, C, HUB];
    const drawn = fc.uniqueArray(
      fc.tuple(fc.constantFrom('R', 'S'), fc.constantFrom(...urns)).map(([type, end]) => `${type} ${end}`),
    );
    const step = fc.record({ urn: fc.constantFrom(...urns), x: drawn, y: drawn });
    let seq = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const last = new Map(urns.map((urn) => [urn, new Set<string>()]));
        for (const urn of urns) await graph.write([collectEdges(urn, ++seq, {})], new Map());
        for (const { urn, x, y } of steps) {
          await graph.write([collectEdges(urn, ++seq, { x, y })], new Map());
          last.set(urn, new Set([...x, ...y]));
        }
        for (const urn of urns) {
          const incoming = urns.flatMap((source) =>
            ['R', 'S']
              .filter((type) => last.get(source)?.has(`${type} ${urn}`))
              .map((type) => `${type} ${source}`),
          );
          for (const [direction, expected] of [
            ['OUTGOING', [...(last.get(urn) ?? [])]],
            ['INCOMING', incoming],
          ] as const) {
            const { related, total } = await graph.related(request(urn, direction, ['R', 'S']));
            expect(related.map(({ edge, entity }) => `${edge.relationship} ${entity}`).sort()).toEqual(
              [...expected].sort(),
            );
            expect(total).toBe(expected.length);
          }
        }
      }),
      { numRuns: 25 },
    );
  });
});

function request(
  urn: string,
  direction: EdgeDirection,
  relationships: readonly string[],
): RelationshipRequest {
  return { urn, direction, relationships, start: 0, count: 1_000 };
}

async function ends(
  graph: GraphIndex,
  urn: string,
  direction: EdgeDirection,
  relationships: readonly string[],
): Promise<readonly string[]> {
  const { related } = await graph.related(request(urn, direction, relationships));
  return related.map(({ entity }) => entity);
}
