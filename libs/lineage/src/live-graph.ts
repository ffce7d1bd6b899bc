import { UnavailableError } from '@stratalog/domain';
import type { GraphIndex, GraphIndexVersions } from '@stratalog/ports';

/**
 * Returns the live graph.
 *
 * **Errors**: `UnavailableError` while the first graph is being built.
 */
export async function liveGraph(graphIndexes: GraphIndexVersions): Promise<GraphIndex> {
  const graph = await graphIndexes.live();
  if (graph === undefined) throw new UnavailableError('The relationship graph is being built');
  return graph;
}
