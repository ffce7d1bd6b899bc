import {
  parentOfColumn,
  type LineageScope,
  type LineageStep,
  type PartitionSequences,
} from '@stratalog/domain';
import type { GraphIndex } from '@stratalog/ports';

/** The reads that lineage needs of a graph, of the present or of the past. */
export type LineageGraph = Pick<GraphIndex, 'lineageHop' | 'lineageEdges' | 'lineageColumns' | 'position'>;

/** Most entities that are followed from one entity. More of them can be paged, one hop from that entity. */
export const MAX_CHILDREN = 5_000;
/** Most entities of one walk: a walk over them takes half a second. */
const MAX_ENTITIES = 20_000;
/** Most edges of one walk; several may lead to one entity. */
const MAX_EDGES = 60_000;

export interface WalkQuery extends LineageScope {
  /** Entities at which the walk starts; each once. */
  readonly roots: readonly string[];
  readonly maxHops: number;
  /** Most entities that are followed in each hop. */
  readonly followedPerHop?: number;
}

/** The steps that a walk found. */
export interface LineageWalk {
  readonly steps: readonly LineageStep[];
  /** Entities whose steps were read. */
  readonly followed: ReadonlySet<string>;
  /** Followed entities of which further edges exist. */
  readonly cutAt: ReadonlySet<string>;
  /** True when a limit other than the number of hops ended the walk or left out edges. */
  readonly isPartial: boolean;
  /** Checkpoint of the graph at the first hop. */
  readonly position: PartitionSequences;
}

/**
 * Follows lineage breadth-first, with one query for each hop. Every entity is followed once, so cycles end.
 *
 * A walk of columns ends at entities that are no columns.
 *
 * **Order and repeats**: the steps of a nearer entity come first; within a hop they come in the order in which their
 * entities were found, and then by urn.
 */
export async function walkLineage(
  graph: LineageGraph,
  { roots, maxHops, followedPerHop = MAX_ENTITIES, ...scope }: WalkQuery,
): Promise<LineageWalk> {
  const seen = new Set(roots);
  const followed = new Set<string>();
  const cutAt = new Set<string>();
  const steps: LineageStep[] = [];
  let position: PartitionSequences | undefined;
  let isPartial = false;
  let frontier = roots;
  for (let hop = 0; hop < maxHops && frontier.length > 0; hop++) {
    const urns = frontier.slice(0, followedPerHop);
    isPartial ||= urns.length < frontier.length;
    const limits = { limitPerUrn: MAX_CHILDREN + 1, limit: MAX_EDGES - steps.length };
    const answer = await graph.lineageHop({ ...scope, urns, ...limits });
    position ??= answer.position;
    const found = takeChildren(answer.steps, cutAt);
    for (const urn of answer.cutAt ?? []) cutAt.add(urn);
    for (const urn of urns.slice(0, answer.answered)) followed.add(urn);
    const next: string[] = [];
    for (const step of found) {
      if (!seen.has(step.far) && seen.size - roots.length >= MAX_ENTITIES) {
        isPartial = true;
        cutAt.add(step.near);
        continue;
      }
      steps.push(step);
      if (seen.has(step.far)) continue;
      seen.add(step.far);
      if (scope.level === 'ENTITY' || parentOfColumn(step.far) !== undefined) next.push(step.far);
      else followed.add(step.far);
    }
    frontier = next;
    const isCut = answer.answered < urns.length;
    isPartial ||= isCut || cutAt.size > 0;
    if (isCut) break;
  }
  return { steps, followed, cutAt, isPartial, position: position ?? (await graph.position()) };
}

/** Leaves out the steps beyond the limit per entity, and notes these entities. */
function takeChildren(steps: readonly LineageStep[], cutAt: Set<string>): readonly LineageStep[] {
  const children = new Map<string, number>();
  return steps.filter(({ near }) => {
    const count = (children.get(near) ?? 0) + 1;
    children.set(near, count);
    if (count > MAX_CHILDREN) cutAt.add(near);
    return count <= MAX_CHILDREN;
  });
}
