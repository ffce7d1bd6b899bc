import { describe, expect, it } from '@jest/globals';
import type { LineageStep } from '@stratalog/domain';
import {
  MAX_COLUMNS,
  arrangePicture,
  chooseNodes,
  type DirectedLineage,
  type PictureParts,
} from './arrange-picture';

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const column = (table: string, name: string): string => `urn:li:schemaField:(${dataset(table)},${name})`;
const [A, B, C] = [dataset('a'), dataset('b'), dataset('c')] as const;
const step = (near: string, far: string): LineageStep => ({ near, far });
const found = (
  direction: DirectedLineage['direction'],
  steps: readonly LineageStep[],
  nodes: DirectedLineage['nodes'] = [],
): DirectedLineage => ({ direction, steps, nodes, isPartial: false });
const arrange = (parts: Partial<PictureParts>) =>
  arrangePicture({ chosen: new Map([[A, 0]]), found: [], columnLineage: [], neighbours: [], ...parts });

describe('chooseNodes', () => {
  it('chooses the nearest, of one distance as many in each direction', () => {
    const up = [1, 1, 1, 2].map((degree, at) => ({ urn: dataset(`up${String(at)}`), degree }));
    const down = [1, 2].map((degree, at) => ({ urn: dataset(`down${String(at)}`), degree }));
    const lineage = [found('UPSTREAM', [], up), found('DOWNSTREAM', [], down)];
    expect([...chooseNodes(A, lineage, 4)]).toEqual([
      [A, 0],
      [dataset('up0'), -1],
      [dataset('down0'), 1],
      [dataset('up1'), -1],
    ]);
    expect(chooseNodes(A, lineage, 100).size).toBe(7);
  });

  it('chooses an entity in a cycle once, and the entities of columns', () => {
    const lineage = [
      found('UPSTREAM', [], [{ urn: B, degree: 1 }]),
      found(
        'DOWNSTREAM',
        [],
        [
          { urn: B, degree: 2 },
          { urn: column('c', 'x'), degree: 3 },
        ],
      ),
    ];
    expect([...chooseNodes(A, lineage, 10)]).toEqual([
      [A, 0],
      [B, -1],
      [C, 3],
    ]);
  });
});

describe('arrangePicture', () => {
  it('drops an edge that only repeats a way through one job', () => {
    const job = 'urn:li:dataJob:(urn:li:dataFlow:(airflow,daily,prod),load)';
    const shown = new Map([
      [A, 0],
      [job, 1],
      [B, 2],
      [C, 2],
    ]);
    const steps = [step(A, job), step(job, B), step(A, B), step(A, C)];
    const { edges } = arrange({ chosen: shown, found: [found('DOWNSTREAM', steps)] });
    expect(edges).toEqual([
      { from: A, to: job },
      { from: job, to: B },
      { from: A, to: C },
    ]);
  });

  const chosen = new Map([
    [A, 0],
    [B, 1],
    [C, 2],
  ]);

  it('turns edges of both directions from upstream to downstream, once, without those from an entity to itself', () => {
    const { edges } = arrange({
      chosen,
      found: [found('DOWNSTREAM', [step(A, B), step(B, B)]), found('UPSTREAM', [step(C, B)])],
      neighbours: [{ direction: 'UPSTREAM', steps: [step(B, A), step(C, A)], cutAt: new Set() }],
    });
    expect(edges).toEqual([
      { from: A, to: B },
      { from: B, to: C },
      { from: A, to: C },
    ]);
  });

  it('counts the neighbours that are not shown, each once', () => {
    const [x, y] = [dataset('x'), dataset('y')];
    const { nodes, isPartial } = arrange({
      chosen,
      found: [found('DOWNSTREAM', [], [{ urn: x, degree: 3 }])],
      neighbours: [
        {
          direction: 'DOWNSTREAM',
          steps: [step(A, x), step(A, x), step(A, y), step(A, B)],
          cutAt: new Set([B]),
        },
        { direction: 'UPSTREAM', steps: [step(A, y)], cutAt: new Set() },
      ],
    });
    expect(nodes.map(({ moreDownstream, moreUpstream }) => [moreDownstream, moreUpstream])).toEqual([
      [
        { count: 2, isExact: true },
        { count: 1, isExact: true },
      ],
      [
        { count: 0, isExact: false },
        { count: 0, isExact: true },
      ],
      [
        { count: 0, isExact: true },
        { count: 0, isExact: true },
      ],
    ]);
    expect(isPartial).toBe(true);
  });

  it('names what produced an edge, once and in order, also where the edges of columns are joined', () => {
    const through = (near: string, far: string, via: string) => ({ ...step(near, far), via });
    const entities = found('DOWNSTREAM', [through(A, B, 'urn:li:query:2'), through(A, B, 'urn:li:query:1')]);
    const known = [through(A, B, 'urn:li:query:1'), step(A, B)];
    const neighbours = [{ direction: 'DOWNSTREAM', steps: known, cutAt: new Set<string>() }] as const;
    const { edges } = arrange({
      chosen: new Map([
        [A, 0],
        [B, 1],
      ]),
      found: [entities],
      neighbours,
    });
    expect(edges).toEqual([{ from: A, to: B, via: ['urn:li:query:1', 'urn:li:query:2'] }]);
    const columnLineage = [
      found('DOWNSTREAM', [through(column('a', 'x'), column('b', 'y'), 'urn:li:query:3')]),
    ];
    const drawn = arrange({
      chosen: new Map([
        [A, 0],
        [B, 1],
      ]),
      found: [entities],
      columnLineage,
    });
    expect(drawn.edges).toEqual([
      { from: A, to: B, fromColumn: column('a', 'x'), toColumn: column('b', 'y'), via: ['urn:li:query:3'] },
    ]);
  });

  it('shows edges of columns in place of that of their entities', () => {
    const { nodes, edges } = arrange({
      chosen,
      found: [found('DOWNSTREAM', [step(A, B), step(B, C)])],
      columnLineage: [
        found('DOWNSTREAM', [
          step(column('a', 'x'), column('b', 'y')),
          step(column('b', 'y'), column('b', 'z')),
        ]),
      ],
    });
    expect(edges).toEqual([
      { from: B, to: C },
      { from: A, to: B, fromColumn: column('a', 'x'), toColumn: column('b', 'y') },
    ]);
    expect(nodes.map((node) => node.columns)).toEqual([[column('a', 'x')], [column('b', 'y')], []]);
  });

  it('limits the columns of an entity, and joins the edges of the others', () => {
    const names = Array.from({ length: MAX_COLUMNS + 2 }, (_, at) => `c${String(at).padStart(2, '0')}`);
    const last = column('a', names.at(-1) ?? '');
    const { nodes, edges } = arrange({
      chosen,
      askedColumn: last,
      columnLineage: [
        found(
          'DOWNSTREAM',
          names.map((name) => step(column('a', name), B)),
        ),
      ],
    });
    expect(nodes[0]).toMatchObject({ moreColumns: 2 });
    expect(nodes[0]?.columns[0]).toBe(last);
    expect(nodes[0]?.columns).toHaveLength(MAX_COLUMNS);
    expect(edges.filter(({ fromColumn }) => fromColumn === undefined)).toEqual([{ from: A, to: B }]);
  });
});
