import type { LineageGraph, LineageNode } from './lineage-graph';

const MOST_PASSES = 20;

/**
 * The graph with the hops that the selected column needs: its entities stand where the column reaches them, and what only they lead
 * to stands behind them.
 */
export function hopsOfColumn(graph: LineageGraph, column: string | undefined): LineageGraph {
  if (column === undefined) return graph;
  const degrees = new Map<string, number>();
  for (const sign of [1, -1]) walk(graph, column, sign, degrees);
  if (degrees.size === 0) return graph;
  const byUrn = new Map(graph.nodes.map((node) => [node.urn, node]));
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const moved = [...byUrn.values()].flatMap((node) => {
      const degree = degrees.get(node.urn) ?? behind(node, graph, byUrn);
      return degree === node.degree ? [] : [{ ...node, degree }];
    });
    if (moved.length === 0) break;
    for (const node of moved) byUrn.set(node.urn, node);
  }
  return { nodes: [...byUrn.values()], edges: graph.edges };
}

/** Hops of the column by the edges between columns, from the start outwards. */
function walk({ edges }: LineageGraph, column: string, sign: number, degrees: Map<string, number>): void {
  let reached = new Set([column]);
  const seen = new Set(reached);
  for (let hops = 1; reached.size > 0; hops += 1) {
    const next = new Set<string>();
    for (const { from, to, fromColumn, toColumn } of edges) {
      if (fromColumn === undefined || toColumn === undefined) continue;
      const [near, far, entity] = sign > 0 ? [fromColumn, toColumn, to] : [toColumn, fromColumn, from];
      if (!reached.has(near) || seen.has(far)) continue;
      seen.add(far);
      next.add(far);
      if (!degrees.has(entity)) degrees.set(entity, sign * hops);
    }
    reached = next;
  }
}

/** The degree of a node whose nearer neighbours may have moved away from the start. */
function behind(
  { urn, degree, isTile }: LineageNode,
  { edges }: LineageGraph,
  byUrn: ReadonlyMap<string, LineageNode>,
): number {
  const sign = Math.sign(degree);
  if (sign === 0) return degree;
  // A tile stands before what its job writes; any other node behind what it is made from.
  const isBefore = isTile === sign > 0;
  const hops = edges.flatMap((edge) => {
    const [here, other] = isBefore ? [edge.from, edge.to] : [edge.to, edge.from];
    const node = here === urn ? byUrn.get(other) : undefined;
    return node === undefined || (isTile && node.isTile)
      ? []
      : [{ hops: node.degree * sign, isTile: node.isTile }];
  });
  if (hops.length === 0) return degree;
  const least = Math.min(...hops.map((each) => (each.isTile ? each.hops - 1 : each.hops)));
  if (isTile) return sign * least;
  return least < degree * sign ? degree : sign * (least + 1);
}
