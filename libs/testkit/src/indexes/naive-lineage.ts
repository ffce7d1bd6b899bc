import { parentOfColumn, type Edge, type EntityEdges, type LineageScope } from '@stratalog/domain';

/** An edge of a {@link NaiveGraph} in the direction of a query. */
interface Step {
  readonly near: string;
  readonly far: string;
}

/**
 * A graph that keeps the last entry of each entity, and answers by scanning all edges.
 *
 * The tests of the real graph compare with it, so it shares no code with it.
 */
export class NaiveGraph {
  private readonly entries = new Map<string, EntityEdges>();

  write(entries: readonly EntityEdges[]): void {
    for (const entry of entries) {
      const stored = this.entries.get(entry.urn);
      if (stored === undefined || stored.seq <= entry.seq) this.entries.set(entry.urn, entry);
    }
  }

  get edges(): readonly Edge[] {
    return [...this.entries.values()].flatMap(({ sets }) => sets.flatMap(({ edges }) => edges));
  }

  /** Least number of hops from `urn` to each entity, by urn. */
  degrees(urn: string, scope: LineageScope, maxHops: number): ReadonlyMap<string, number> {
    const steps = this.steps(scope);
    const degrees = new Map([[urn, 0]]);
    // Relaxes all edges as often as a path can have steps.
    for (let hop = 0; hop < maxHops; hop++) {
      for (const { near, far } of steps) {
        if (degrees.get(near) === hop && !degrees.has(far)) degrees.set(far, hop + 1);
      }
    }
    degrees.delete(urn);
    return degrees;
  }

  /** The lineage edges as `<near> <far>`, each once. */
  stepTexts(scope: LineageScope): ReadonlySet<string> {
    return new Set(this.steps(scope).map(({ near, far }) => `${near} ${far}`));
  }

  private steps(scope: LineageScope): readonly Step[] {
    const isInScope = ({ near, far }: Step): boolean => {
      const isColumn = [near, far].map((end) => parentOfColumn(end) !== undefined);
      return scope.level === 'COLUMN' ? isColumn[0] === true : !isColumn.includes(true);
    };
    return this.edges
      .filter(({ isLineage }) => isLineage)
      .filter((edge) => isAlive(edge, scope))
      .map(({ source, destination, isUpstream }) =>
        isUpstream === (scope.direction === 'UPSTREAM')
          ? { near: source, far: destination }
          : { near: destination, far: source },
      )
      .filter(isInScope);
  }
}

function isAlive({ created, updated, properties }: Edge, { fromMs, toMs }: LineageScope): boolean {
  if (properties?.source === 'UI') return true;
  return (fromMs === undefined || updated.time >= fromMs) && (toMs === undefined || created.time <= toMs);
}
