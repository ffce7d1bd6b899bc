import type { AnswerOf } from '@stratalog/client';

type Answer = AnswerOf<'GET /lineage/:urn'>;
export type Picture = Extract<Answer, { readonly nodes: unknown }>;
export type Comparison = AnswerOf<'GET /lineage/:urn/diff'>;
export type ChangeKind = 'added' | 'removed';

export interface LineageNode {
  readonly urn: string;
  /** Hops from the start; negative upstream. */
  readonly degree: number;
  readonly type: string;
  readonly name: string;
  /** Urns of the shown columns. */
  readonly columns: readonly string[];
  readonly moreColumns: number;
  readonly moreUpstream: number;
  readonly moreDownstream: number;
  /** A job that stands on the edges between its tables. */
  readonly isTile: boolean;
  readonly isOpened: boolean;
  readonly change?: ChangeKind;
  /** Present: stands for these neighbours. */
  readonly folded?: readonly LineageNode[];
}

/** From upstream to downstream, between entities or between columns of them. */
export interface LineageEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly fromColumn?: string;
  readonly toColumn?: string;
  readonly change?: ChangeKind;
}

export interface LineageGraph {
  readonly nodes: readonly LineageNode[];
  readonly edges: readonly LineageEdge[];
}

export const NO_LINEAGE: LineageGraph = { nodes: [], edges: [] };

interface PictureOf {
  readonly urn: string;
  readonly picture: Picture;
}

/** The graph with what a picture around one of its nodes adds: everything that was there stays as it was. */
export function addPicture(
  graph: LineageGraph,
  { urn, picture }: PictureOf,
  hasTiles: boolean,
): LineageGraph {
  const known = new Map(graph.nodes.map((node) => [node.urn, node]));
  const center = known.get(urn);
  const base = center?.degree ?? 0;
  for (const node of picture.nodes) {
    const before = known.get(node.urn);
    const degree = base + node.degree;
    if (before !== undefined && node.urn !== urn) continue;
    known.set(node.urn, {
      urn: node.urn,
      degree: before?.degree ?? degree,
      type: node.entityType,
      name: node.name,
      columns: before?.columns ?? node.columns ?? [],
      moreColumns: before?.moreColumns ?? node.moreColumns ?? 0,
      moreUpstream: node.moreUpstream,
      moreDownstream: node.moreDownstream,
      isTile: before?.isTile ?? (hasTiles && node.entityType === 'dataJob' && degree !== 0),
      isOpened: center !== undefined && node.urn === urn,
    });
  }
  const edges = new Map(graph.edges.map((edge) => [edge.id, edge]));
  for (const edge of picture.edges) {
    const shown = toShown(edge, known);
    edges.set(shown.id, shown);
  }
  return { nodes: [...known.values()], edges: [...edges.values()] };
}

/** An edge of a column that is not shown ends at its entity. */
function toShown(
  { from, to, fromColumn, toColumn }: Picture['edges'][number],
  known: ReadonlyMap<string, LineageNode>,
): LineageEdge {
  const isShown = (urn: string, column: string | undefined): column is string =>
    column !== undefined && known.get(urn)?.columns.includes(column) === true;
  return {
    id: edgeId(fromColumn ?? from, toColumn ?? to),
    from,
    to,
    ...(isShown(from, fromColumn) ? { fromColumn } : {}),
    ...(isShown(to, toColumn) ? { toColumn } : {}),
  };
}

function edgeId(from: string, to: string): string {
  return `${from} ${to}`;
}

/** Marks what came, and adds what went. */
export function addComparison(graph: LineageGraph, comparison: Comparison): LineageGraph {
  const { entities, edges, columnEdges } = comparison;
  const changes = new Map(entities.changes.map((each) => [each.entity, each]));
  const shown = new Set(graph.nodes.map(({ urn }) => urn));
  const gone = entities.changes.filter(({ change, entity }) => change === 'removed' && !shown.has(entity));
  const nodes = [
    ...graph.nodes.map((node) => {
      const change = changes.get(node.urn)?.change;
      return change === undefined ? node : { ...node, change };
    }),
    ...gone.map(({ entity, degree, direction }) =>
      toGone(entity, direction === 'UPSTREAM' ? -degree : degree),
    ),
  ];
  const known = new Map(nodes.map((node) => [node.urn, node]));
  const changed = new Map<string, LineageEdge>();
  for (const { upstream, downstream, change } of edges.changes) {
    if (!known.has(upstream) || !known.has(downstream)) continue;
    const id = edgeId(upstream, downstream);
    changed.set(id, { id, from: upstream, to: downstream, change });
  }
  const columns = new Map(
    (columnEdges?.changes ?? []).map((each) => [edgeId(each.upstream, each.downstream), each]),
  );
  const marked = graph.edges.map((edge) => {
    const change = changed.get(edge.id)?.change ?? columns.get(edge.id)?.change;
    return change === undefined ? edge : { ...edge, change };
  });
  const present = new Set(graph.edges.map(({ id }) => id));
  const goneEdges = [...changed.values()].filter(
    ({ id, change }) => change === 'removed' && !present.has(id),
  );
  return { nodes, edges: [...marked, ...goneEdges] };
}

function toGone(urn: string, degree: number): LineageNode {
  const [, type = ''] = /^urn:[^:]*:([^:]*):/.exec(urn) ?? [];
  const nothing = { columns: [], moreColumns: 0, moreUpstream: 0, moreDownstream: 0 };
  return { urn, degree, type, name: urn, ...nothing, isTile: false, isOpened: false, change: 'removed' };
}
