import type { LineageNode } from './arrange-lineage';

/**
 * Lists the shortest paths from a root to an entity, each as urns from the root on; at most `limit`, because diamonds in
 * a row double their number. An entity that is no node is a root.
 *
 * **Order and repeats**: by the urns from the entity back to the root.
 */
export function listPaths(
  nodes: ReadonlyMap<string, LineageNode>,
  urn: string,
  limit: number,
): readonly (readonly string[])[] {
  const paths: (readonly string[])[] = [];
  const open: (readonly string[])[] = [[urn]];
  while (paths.length < limit) {
    const path = open.pop();
    if (path === undefined) break;
    const parents = nodes.get(path[0] ?? '')?.parents;
    if (parents === undefined) paths.push(path);
    else for (const parent of parents.toReversed().slice(-limit)) open.push([parent, ...path]);
  }
  return paths;
}
