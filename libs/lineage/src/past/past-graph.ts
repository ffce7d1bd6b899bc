import type {
  LineageDirection,
  LineageEdge,
  LineageEdgesRequest,
  LineageHop,
  LineageHopRequest,
  LineageStep,
  PartitionSequences,
} from '@stratalog/domain';
import type { LineageGraph } from '../walk-lineage';
import type { PastChanges } from './past-changes';
import { append, compareEdges, compareText } from './past-edges';

/** Most edges of the present between two ends that are searched for one which already existed. */
const MAX_BETWEEN = 100;

/**
 * Answers lineage as of a time: the edges of the live graph without those of aspects that were written since, and the
 * former edges of these aspects.
 */
export class PastGraph implements LineageGraph {
  constructor(
    private readonly live: LineageGraph,
    private readonly changes: PastChanges,
  ) {}

  position(): Promise<PartitionSequences> {
    return this.live.position();
  }

  async lineageHop(
    request: LineageHopRequest,
  ): Promise<LineageHop & { readonly position: PartitionSequences }> {
    const { urns, limitPerUrn, limit } = request;
    const live = await this.live.lineageHop({ ...request, withOwners: true });
    const present = groupByNear(live.steps);
    return this.changes.leaveOutWritten(live.steps, (unwritten, past) => {
      const kept = groupByNear(unwritten);
      const steps: LineageStep[] = [];
      const cutAt: string[] = [];
      let answered = 0;
      for (const near of urns.slice(0, live.answered)) {
        const [all, still] = [present.get(near) ?? [], kept.get(near) ?? []];
        const own = [...still, ...past.from(near, request)]
          .sort((a, b) => compareText(a.far, b.far))
          .slice(0, limitPerUrn);
        if (steps.length + own.length > limit) break;
        if (all.length >= limitPerUrn && still.length < all.length) cutAt.push(near);
        steps.push(...own);
        answered++;
      }
      return { steps, answered, cutAt, position: live.position };
    });
  }

  async lineageEdges(request: LineageEdgesRequest): Promise<readonly LineageEdge[]> {
    const { ends, exceptVia, limitPerPair } = request;
    const excluded = new Set(exceptVia);
    const live = await this.live.lineageEdges({ ...request, withOwners: true, limitPerPair: MAX_BETWEEN });
    return this.changes.leaveOutWritten(live, (kept, past) => {
      const byEnds = new Map<string, LineageEdge[]>();
      for (const edge of kept) append(byEnds, nameEnds(edge), edge);
      for (const near of new Set(ends.map((each) => each.near))) {
        for (const edge of past.from(near, request)) append(byEnds, nameEnds(edge), edge);
      }
      return ends.flatMap((pair) =>
        (byEnds.get(nameEnds(pair)) ?? [])
          .filter(({ via }) => via === undefined || !excluded.has(via))
          .sort(compareEdges)
          .slice(0, limitPerPair),
      );
    });
  }

  /** Columns that have lineage now or had it; a column that has it only now has no steps. */
  async lineageColumns(urn: string, direction: LineageDirection, limit: number): Promise<readonly string[]> {
    const live = await this.live.lineageColumns(urn, direction, limit);
    return this.changes.leaveOutWritten([], (_, past) =>
      [...new Set([...live, ...past.listColumns(urn, direction)])].sort().slice(0, limit),
    );
  }
}

function nameEnds({ near, far }: Pick<LineageStep, 'near' | 'far'>): string {
  return `${near} ${far}`;
}

function groupByNear(steps: readonly LineageStep[]): ReadonlyMap<string, readonly LineageStep[]> {
  const groups = new Map<string, LineageStep[]>();
  for (const step of steps) append(groups, step.near, step);
  return groups;
}
