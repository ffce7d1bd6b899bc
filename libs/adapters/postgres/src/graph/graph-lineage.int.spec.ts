import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  LINEAGE_DIRECTIONS,
  LINEAGE_LEVELS,
  type Edge,
  type EntityEdges,
  type LineageScope,
} from '@stratalog/domain';
import {
  MAX_CHILDREN,
  listPaths,
  readLineage,
  type LineageDeps,
  type LineageQuery,
} from '@stratalog/lineage';
import type { GraphIndex } from '@stratalog/ports';
import fc from 'fast-check';
import { NaiveGraph, datasetUrn, toEdge } from '@stratalog/testkit';
import { openEmptyGraph } from '../testing/empty-graph.fixture';
import { useSuiteDatabase } from '../testing/suite-database';

const [A, B, C, D] = [datasetUrn('a'), datasetUrn('b'), datasetUrn('c'), datasetUrn('d')] as const;
const JOB = 'urn:li:dataJob:(urn:li:dataFlow:(airflow,f,prod),j)';
const column = (table: string, name: string): string => `urn:li:schemaField:(${table},${name})`;
const UP = { direction: 'UPSTREAM', level: 'ENTITY' } as const;
const DOWN = { direction: 'DOWNSTREAM', level: 'ENTITY' } as const;
const UP_COLUMNS = { direction: 'UPSTREAM', level: 'COLUMN' } as const;

const lineage = (source: string, destination: string, facts: Partial<Edge> = {}): Edge =>
  toEdge(source, 'DownstreamOf', destination, { isLineage: true, ...facts });
const entry = (urn: string, seq: number, edges: readonly Edge[]): EntityEdges => ({
  urn,
  seq,
  sets: [{ aspectName: 'upstreamLineage', edges }],
});

/** A walk that excludes nothing reads no store. */
const reject = () => Promise.reject(new Error('There is no store'));
const NO_STORE: LineageDeps['store'] = { readEntities: reject, filterSoftDeleted: reject };

describe('PostgresGraphIndex, lineage', () => {
  const suite = useSuiteDatabase();
  let graph: GraphIndex;

  beforeEach(async () => {
    graph = await openEmptyGraph(suite.database);
  });

  const hop = async (urns: readonly string[], scope: LineageScope): Promise<readonly string[]> => {
    const { steps } = await graph.lineageHop({ ...scope, urns, limitPerUrn: 100, limit: 1_000 });
    return steps.map(({ near, far }) => `${near} ${far}`);
  };
  const read = (query: LineageQuery) => readLineage({ graph, store: NO_STORE }, query);

  it('follows lineage edges only, by the side that is upstream', async () => {
    await graph.write([
      entry(B, 1, [lineage(B, A), toEdge(B, 'TaggedWith', 'urn:li:tag:t'), toEdge(B, 'DownstreamOf', D)]),
      entry(JOB, 1, [
        toEdge(JOB, 'Consumes', B, { isLineage: true }),
        toEdge(JOB, 'Produces', C, { isLineage: true, isUpstream: false }),
      ]),
    ]);
    expect(await hop([B, C], UP)).toEqual([`${B} ${A}`, `${C} ${JOB}`]);
    expect(await hop([JOB], UP)).toEqual([`${JOB} ${B}`]);
    expect(await hop([A, B, JOB, D], DOWN)).toEqual([`${A} ${B}`, `${B} ${JOB}`, `${JOB} ${C}`]);
    expect(await hop([D, 'urn:li:tag:t'], UP)).toEqual([]);
  });

  it('GraphIndex, lineage has everything that an edge says', async () => {
    const facts = {
      created: { time: 1, actor: 'urn:li:corpuser:ä' },
      updated: { time: 2_000_000_000_000, actor: 'urn:li:corpuser:b' },
      properties: { source: 'UI', 'a "b"': '\u0000\n😀' },
      via: 'urn:li:query:q',
    };
    await graph.write([entry(A, 1, [lineage(A, B, facts)])], new Map([[2, 7]]));
    const relationship = 'DownstreamOf';
    const limits = { limitPerUrn: 10, limit: 10 };
    const step = { near: B, far: A, via: facts.via };
    const owner = { owner: A, aspectName: 'upstreamLineage' };
    const position = new Map([[2, 7]]);
    expect(await graph.lineageHop({ ...DOWN, ...limits, urns: [D, B] })).toEqual({
      steps: [step],
      answered: 2,
      position,
    });
    expect(await graph.lineageHop({ ...UP, ...limits, urns: [A], withOwners: true })).toMatchObject({
      steps: [{ near: A, far: B, via: facts.via, ...owner }],
    });
    const ends = { ends: [D, B].map((near) => ({ near, far: A })), exceptVia: [], limitPerPair: 1 };
    const edge = { near: B, far: A, relationship, ...facts };
    const { direction } = DOWN;
    expect(await graph.lineageEdges({ direction, ...ends })).toEqual([edge]);
    expect(await graph.lineageEdges({ direction, ...ends, withOwners: true })).toEqual([
      { ...edge, ...owner },
    ]);
    expect(await graph.lineageEdges({ direction, ...ends, exceptVia: [facts.via] })).toEqual([]);
    expect(await graph.lineageEdges({ direction, ...ends, fromMs: 3_000_000_000_000 })).toMatchObject([
      { far: A },
    ]);
    expect(await graph.lineageEdges({ ...ends, direction: 'UPSTREAM' })).toEqual([]);
    expect(await graph.lineageEdges({ ...ends, direction, ends: [] })).toEqual([]);
    expect(await graph.lineagePage({ ...UP, urn: A, start: 0, count: 10 })).toEqual({
      total: 1,
      edges: [{ near: A, far: B, relationship, ...facts }],
      position,
    });
    expect(await graph.lineageHop({ ...UP, ...limits, urns: [D] })).toEqual({
      steps: [],
      answered: 1,
      position,
    });
  });

  it('keeps columns and other entities apart, and finds the columns of an entity', async () => {
    const [a1, a2, b1, b2, c1] = [
      column(A, '1'),
      column(A, '2'),
      column(B, '1'),
      column(B, '2'),
      column(C, '1'),
    ];
    await graph.write([
      entry(B, 1, [lineage(B, A), lineage(b1, a1), lineage(b1, a2), lineage(b2, A)]),
      entry(JOB, 1, [lineage(c1, b1, { via: JOB })]),
    ]);
    expect(await hop([B], UP)).toEqual([`${B} ${A}`]);
    expect(await hop([A], DOWN)).toEqual([`${A} ${B}`]);
    expect(await hop([b1, b2, c1], UP_COLUMNS)).toEqual([
      `${b1} ${a1}`,
      `${b1} ${a2}`,
      `${b2} ${A}`,
      `${c1} ${b1}`,
    ]);
    expect(await graph.lineageColumns(B, 'UPSTREAM', 10)).toEqual([b1, b2]);
    expect(await graph.lineageColumns(B, 'DOWNSTREAM', 10)).toEqual([b1]);
    expect(await graph.lineageColumns(B, 'UPSTREAM', 1)).toEqual([b1]);
    expect(await graph.lineageColumns(D, 'UPSTREAM', 10)).toEqual([]);
  });

  it('replaces and removes the edges between columns with the entry that declares them', async () => {
    const [b1, c1] = [column(B, '1'), column(C, '1')];
    const job = (seq: number, ...edges: readonly Edge[]) => graph.write([entry(JOB, seq, edges)]);
    await job(1, lineage(c1, b1, { via: JOB }));
    await graph.write([entry(C, 1, [lineage(c1, b1)]), entry(c1, 1, [lineage(c1, A)])]);
    const ends = async () => {
      const { related } = await graph.related({
        urn: c1,
        direction: 'OUTGOING',
        relationships: ['DownstreamOf'],
        start: 0,
        count: 10,
      });
      return related.map(({ entity }) => entity);
    };
    expect(await ends()).toEqual([A, b1]);
    expect(await graph.count()).toBe(3);
    expect(await graph.filterPresent([JOB, C, c1])).toEqual([c1, JOB, C].sort());
    const declared = {
      urn: b1,
      direction: 'INCOMING',
      relationships: ['DownstreamOf'],
      start: 0,
      count: 9,
    } as const;
    expect(await graph.related(declared)).toMatchObject({ total: 1 });
    expect(await graph.related({ ...declared, declaredBySource: true })).toMatchObject({ total: 0 });
    await job(2);
    expect(await ends()).toEqual([A, b1]);
    await graph.write([entry(C, 2, [])]);
    expect(await ends()).toEqual([A]);
    await job(1, lineage(c1, b1));
    expect(await ends()).toEqual([A]);
    await job(3, lineage(c1, b1));
    await graph.removeEdges(b1);
    expect(await ends()).toEqual([A]);
    expect(await graph.count()).toBe(3);
    expect((await graph.fingerprintsAfter(undefined, 10)).map(({ urn }) => urn)).toEqual([c1]);
  });

  it('selects edges by time, except those that a person drew', async () => {
    const stamped = (from: number, to: number, facts: Partial<Edge> = {}) => ({
      created: { time: from, actor: 'urn:li:corpuser:a' },
      updated: { time: to, actor: 'urn:li:corpuser:a' },
      ...facts,
    });
    const texts = { properties: { note: 'is "source":"UI"' } };
    await graph.write([
      entry(A, 1, [
        lineage(A, B, stamped(10, 20, texts)),
        lineage(A, C, stamped(30, 40)),
        lineage(A, D, stamped(1, 1, { properties: { source: 'UI' } })),
      ]),
    ]);
    expect(await hop([A], { ...UP, fromMs: 21 })).toEqual([`${A} ${C}`, `${A} ${D}`]);
    expect(await hop([A], { ...UP, toMs: 29 })).toEqual([`${A} ${B}`, `${A} ${D}`]);
    expect(await hop([A], { ...UP, fromMs: 20, toMs: 30 })).toEqual([`${A} ${B}`, `${A} ${C}`, `${A} ${D}`]);
    expect(await graph.lineagePage({ ...UP, fromMs: 21, urn: A, start: 0, count: 9 })).toMatchObject({
      total: 2,
    });
  });

  it('limits the edges of each urn and of all, and pages through a hub', async () => {
    const names = Array.from({ length: 250 }, (_, at) => datasetUrn(`x${String(at).padStart(3, '0')}`));
    await graph.write(names.map((urn) => entry(urn, 1, [lineage(urn, A), lineage(urn, B)])));
    const fars = (ends: readonly { readonly far: string }[]) => ends.map(({ far }) => far);
    const some = await graph.lineageHop({ ...DOWN, urns: [A, B], limitPerUrn: 3, limit: 100 });
    expect([fars(some.steps), some.answered]).toEqual([[...names.slice(0, 3), ...names.slice(0, 3)], 2]);
    const cut = await graph.lineageHop({ ...DOWN, urns: [A, B], limitPerUrn: 3, limit: 4 });
    expect([fars(cut.steps), cut.answered]).toEqual([[...names.slice(0, 3), ...names.slice(0, 1)], 1]);
    const page = (start: number, count: number) => graph.lineagePage({ ...DOWN, urn: A, start, count });
    expect(fars((await page(100, 40)).edges)).toEqual(names.slice(100, 140));
    expect(await page(240, 100)).toMatchObject({ total: 250, edges: { length: 10 } });
    expect(await page(250, 10)).toMatchObject({ total: 250, edges: [] });
    expect(await page(0, 0)).toMatchObject({ total: 250, edges: [] });
  });

  it('answers one edge of several to an end: the first by relationship and age', async () => {
    const facts = (time: number) => ({ isLineage: true, created: { time, actor: 'urn:li:corpuser:a' } });
    await graph.write([
      {
        urn: A,
        seq: 1,
        sets: [
          { aspectName: 'x', edges: [toEdge(A, 'S', B, facts(1)), toEdge(A, 'R', B, facts(9))] },
          { aspectName: 'y', edges: [toEdge(A, 'R', B, facts(5))] },
        ],
      },
      entry(B, 1, [toEdge(B, 'Q', A, { isLineage: true, isUpstream: false })]),
    ]);
    const between = { direction: 'UPSTREAM', ends: [{ near: A, far: B }], exceptVia: [] } as const;
    const edges = await graph.lineageEdges({ ...between, limitPerPair: 10 });
    expect(edges.map(({ relationship, created }) => `${relationship} ${String(created.time)}`)).toEqual([
      'Q 1000',
      'R 5',
      'R 9',
      'S 1',
    ]);
    expect(await graph.lineageEdges({ ...between, limitPerPair: 1 })).toMatchObject([{ relationship: 'Q' }]);
    expect(await graph.lineagePage({ ...UP, urn: A, start: 0, count: 10 })).toMatchObject({
      total: 1,
      edges: [{ relationship: 'Q' }],
    });
  });

  it('ends a walk over a hub at the limit, and says where', async () => {
    const names = Array.from({ length: MAX_CHILDREN + 1 }, (_, at) => datasetUrn(`h${String(at)}`));
    await graph.write([
      ...names.map((urn) => entry(urn, 1, [lineage(urn, B)])),
      entry(B, 1, [lineage(B, A)]),
    ]);
    const all = { includesSoftDeleted: true, includesMissing: true };
    const result = await read({ ...DOWN, ...all, urn: A, maxHops: 2 });
    expect([result.nodes.length, result.isPartial, [...result.cutAt]]).toEqual([MAX_CHILDREN + 1, true, [B]]);
    const one = await read({ ...DOWN, ...all, urn: A, maxHops: 1 });
    expect([one.nodes.length, one.isPartial]).toEqual([1, false]);
    const few = await read({ ...DOWN, ...all, urn: B, maxHops: 2, followedPerHop: 7 });
    expect([few.nodes.length, few.isPartial, few.followed.size]).toEqual([MAX_CHILDREN, true, 8]);
  });

  it('answers like a naive graph, whatever was written in whatever order', async () => {
    const urns = [A, B, C, D, JOB];
    const columns = [A, B, C].map((table) => column(table, 'x'));
    const time = fc.integer({ min: 1, max: 4 });
    const edge = fc
      .record({
        ends: fc.oneof(
          fc.tuple(fc.constantFrom(...urns), fc.constantFrom(...urns)),
          fc.tuple(fc.constantFrom(...columns), fc.constantFrom(...columns, A)),
        ),
        isLineage: fc.boolean(),
        isUpstream: fc.boolean(),
        created: time,
        updated: time,
        isManual: fc.boolean(),
      })
      .map(({ ends: [source, destination], created, updated, isManual, isLineage, isUpstream }) => ({
        isColumn: columns.includes(source),
        edge: toEdge(source, 'R', destination, {
          // Columns have lineage to their upstream side only.
          isLineage: isLineage || columns.includes(source),
          isUpstream: isUpstream || columns.includes(source),
          created: { time: created, actor: 'urn:li:corpuser:a' },
          updated: { time: updated, actor: 'urn:li:corpuser:a' },
          ...(isManual ? { properties: { source: 'UI' } } : {}),
        }),
      }));
    const write = fc.record({
      owner: fc.constantFrom(...urns),
      seq: fc.integer({ min: 1, max: 6 }),
      edges: fc.array(edge, { maxLength: 6 }),
    });
    const scope = fc.record({
      direction: fc.constantFrom(...LINEAGE_DIRECTIONS),
      level: fc.constantFrom(...LINEAGE_LEVELS),
      bounds: fc.constantFrom({}, { fromMs: 2 }, { toMs: 3 }, { fromMs: 2, toMs: 3 }),
      maxHops: fc.integer({ min: 1, max: 4 }),
    });
    let epoch = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 10 }), scope, async (writes, asked) => {
        epoch += 10;
        const naive = new NaiveGraph();
        for (const urn of urns) await graph.write([entry(urn, epoch, [])]);
        const contents = new Map<string, EntityEdges>();
        for (const { owner, seq, edges } of writes) {
          const own = edges
            .filter(({ isColumn, edge: { source } }) => isColumn || source === owner)
            .map((each) => each.edge);
          const distinct = new Map(own.map((each) => [`${each.source} ${each.destination}`, each]));
          const key = `${owner} ${String(seq)}`;
          // One number of an entity always stands for one content.
          const each = contents.get(key) ?? entry(owner, epoch + seq, [...distinct.values()]);
          contents.set(key, each);
          await graph.write([each]);
          naive.write([each]);
        }
        const { bounds, maxHops, ...rest } = asked;
        const query = { ...rest, ...bounds };
        const steps = naive.stepTexts(query);
        for (const urn of rest.level === 'ENTITY' ? urns : columns) {
          const result = await read({
            ...query,
            urn,
            maxHops,
            includesSoftDeleted: true,
            includesMissing: true,
          });
          const degrees = new Map(result.nodes.map((node) => [node.urn, node.degree]));
          expect(degrees).toEqual(naive.degrees(urn, query, maxHops));
          const nodes = new Map(result.nodes.map((node) => [node.urn, node]));
          for (const node of result.nodes) {
            for (const path of listPaths(nodes, node.urn, 10)) {
              expect([path[0], path.at(-1), path.length]).toEqual([urn, node.urn, node.degree + 1]);
              path.slice(1).forEach((far, at) => {
                expect(steps).toContain(`${path[at] ?? ''} ${far}`);
              });
            }
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});
