import type { WalkedStep } from './collapse-columns';

/** An entity that lineage leads to. */
export interface LineageNode {
  readonly urn: string;
  /** Least number of hops. */
  readonly degree: number;
  /** The last step of the first of the shortest paths. */
  readonly step: WalkedStep;
  /** The entities one hop nearer that lead to it, by urn. */
  readonly parents: readonly string[];
}

export interface Arrangement {
  readonly steps: readonly WalkedStep[];
  readonly roots: readonly string[];
  readonly maxHops: number;
  /** Entities that are left out, with everything that only they lead to. */
  readonly isExcluded?: (urn: string) => boolean;
  /** True for a query or job whose edges are excluded. */
  readonly isExcludedVia?: (urn: string) => boolean;
}

/**
 * Arranges steps by their distance from the roots: a pure function of the set of steps.
 *
 * **Order and repeats**: by degree, and then by urn. The roots are left out.
 */
export function arrangeLineage({
  steps,
  roots,
  maxHops,
  isExcluded = () => false,
  isExcludedVia = () => false,
}: Arrangement): readonly LineageNode[] {
  const byNear = groupByNear(
    steps,
    ({ far, via }) => !isExcluded(far) && !(via !== undefined && isExcludedVia(via)),
  );
  const nodes: LineageNode[] = [];
  const seen = new Set(roots);
  let layer: readonly string[] = [...roots].sort();
  for (let degree = 1; degree <= maxHops && layer.length > 0; degree++) {
    const next = new Map<string, { step: WalkedStep; parents: string[] }>();
    for (const near of layer) {
      for (const step of byNear.get(near) ?? []) {
        if (seen.has(step.far)) continue;
        const node = next.get(step.far);
        if (node === undefined) next.set(step.far, { step, parents: [near] });
        else if (node.parents.at(-1) !== near) node.parents.push(near);
      }
    }
    layer = [...next.keys()].sort();
    for (const urn of layer) {
      seen.add(urn);
      const node = next.get(urn);
      if (node !== undefined) nodes.push({ urn, degree, ...node });
    }
  }
  return nodes;
}

function groupByNear(
  steps: readonly WalkedStep[],
  isVisible: (step: WalkedStep) => boolean,
): ReadonlyMap<string, readonly WalkedStep[]> {
  const groups = new Map<string, WalkedStep[]>();
  for (const step of steps) {
    if (!isVisible(step)) continue;
    const group = groups.get(step.near);
    if (group === undefined) groups.set(step.near, [step]);
    else group.push(step);
  }
  return groups;
}
