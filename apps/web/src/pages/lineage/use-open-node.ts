import type { LineageNode } from './graph/lineage-graph';
import { useChangeAddress, useLineageAddress } from './lineage-address';

/** Shows the neighbours of a node, or the entities that it stands for. */
export function useOpenNode(): (node: LineageNode) => void {
  const { opened, unfolded } = useLineageAddress();
  const change = useChangeAddress();
  return ({ urn, degree, folded }) => {
    if (folded !== undefined) change({ unfold: [...unfolded, String(degree)] });
    else if (!opened.includes(urn)) change({ open: [...opened, urn] });
  };
}
