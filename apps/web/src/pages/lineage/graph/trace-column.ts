import type { LineageEdge } from './lineage-graph';

export interface Trace {
  /** Urns of columns. */
  readonly columns: ReadonlySet<string>;
  /** Ids of edges. */
  readonly edges: ReadonlySet<string>;
}

/** What a column is made from, and what is made from it, among the shown edges. */
export function traceColumn(edges: readonly LineageEdge[], column: string | undefined): Trace {
  const columns = new Set<string>();
  const carrying = new Set<string>();
  if (column === undefined) return { columns, edges: carrying };
  for (const [near, far] of [
    ['fromColumn', 'toColumn'],
    ['toColumn', 'fromColumn'],
  ] as const) {
    let reached = [column];
    const seen = new Set(reached);
    while (reached.length > 0) {
      const next: string[] = [];
      for (const edge of edges) {
        const [from, to] = [edge[near], edge[far]];
        if (from === undefined || to === undefined || !reached.includes(from)) continue;
        carrying.add(edge.id);
        if (!seen.has(to)) {
          seen.add(to);
          next.push(to);
        }
      }
      reached = next;
    }
    for (const each of seen) columns.add(each);
  }
  return { columns, edges: carrying };
}

export function columnUrn(urn: string, column: string): string {
  return `urn:li:schemaField:(${urn},${column})`;
}
