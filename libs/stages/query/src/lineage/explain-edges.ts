import {
  findExcluded,
  listEnds,
  nameOwner,
  type LineageChange,
  type LineageComparison,
  type LineageResult,
} from '@stratalog/lineage';
import {
  parentOfColumn,
  type EdgeOwner,
  type LineageDirection,
  type LineageEdge,
  type LineageStep,
} from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { nameStep, type EdgeChange, type EdgeChanges } from './find-edge-change';
import type { OpenedLineage } from './open-lineage';

/** Lineage at two times. */
export interface ComparedLineage {
  readonly before: OpenedLineage;
  readonly after: OpenedLineage;
  readonly changes: EdgeChanges;
}

/** An edge that came or went. */
export interface ExplainedEdge {
  readonly change: LineageChange;
  readonly direction: LineageDirection;
  readonly edge: LineageEdge;
  /** The entity that was soft-deleted at one of the times, when the edge itself did not change. */
  readonly softDeleted?: string;
}

export interface ComparedChanges extends Pick<LineageComparison, 'steps'> {
  readonly direction: LineageDirection;
  readonly before: LineageResult;
  readonly after: LineageResult;
  readonly includesSoftDeleted: boolean;
}

const STATUS = 'status';
/** Pairs that one read of the graph names. */
const PAGE = 5_000;

/**
 * Finds the edges that came or went, or became visible or excluded. A step of one time alone may be none of these: an edge
 * further on that lineage does not reach any more.
 */
export async function explainEdges(
  compared: ComparedLineage,
  { steps, direction, includesSoftDeleted, ...results }: ComparedChanges,
): Promise<readonly ExplainedEdge[]> {
  const explained: ExplainedEdge[] = [];
  for (const change of ['removed', 'added'] as const) {
    const [own, other] = change === 'added' ? (['after', 'before'] as const) : (['before', 'after'] as const);
    const all = steps.flatMap((each) => (each.change === change ? [each.value.columns ?? each.value] : []));
    for (let at = 0; at < all.length; at += PAGE) {
      const ends = all.slice(at, at + PAGE).map(({ near, far }) => ({ near, far }));
      const query = { direction, ends, limitPerPair: 1, withOwners: true };
      const edges = await compared[own].graph.lineageEdges({
        ...query,
        exceptVia: results[own].excludedVias,
      });
      const still = await compared[other].graph.lineageEdges({ ...query, exceptVia: [] });
      const existing = new Map(still.map((edge) => [nameStep(edge, direction), edge]));
      const { softDeleted } = await findExcluded(compared[other].store, listAllEnds(still), {
        includesSoftDeleted,
        includesMissing: true,
      });
      const roots = new Set(results[other].roots);
      for (const edge of edges) {
        const same = existing.get(nameStep(edge, direction));
        if (same === undefined) {
          explained.push({ change, direction, edge });
          continue;
        }
        const excluding = [same.far, same.via, roots.has(same.near) ? undefined : same.near];
        const cause = excluding.find((urn) => urn !== undefined && softDeleted.has(urn));
        if (cause !== undefined) explained.push({ change, direction, edge, softDeleted: cause });
      }
    }
  }
  return explained;
}

/** Counts edges by their change, and lists the first by their ends, each with the change of an aspect that did it. */
export async function describeEdges(
  { changes }: ComparedLineage,
  edges: readonly ExplainedEdge[],
  count: number,
): Promise<JsonOutputObject> {
  const byEnds = new Map(edges.map((each) => [nameStep(each.edge, each.direction), each]));
  const sorted = [...byEnds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
  const shown = sorted.slice(0, count);
  const causes = await findCauses(changes, shown);
  return { ...countChanges(sorted), changes: shown.map((each) => describeEdge(each, causes.get(each))) };
}

/** Finds the change that did it for each edge: aspect by aspect, because the values of one may be large. */
async function findCauses(
  changes: EdgeChanges,
  edges: readonly ExplainedEdge[],
): Promise<ReadonlyMap<ExplainedEdge, EdgeChange | undefined>> {
  const causes = new Map<ExplainedEdge, EdgeChange | undefined>();
  const groups = new Map<string, { readonly owner: EdgeOwner; readonly declared: ExplainedEdge[] }>();
  for (const each of edges) {
    if (each.softDeleted !== undefined) {
      causes.set(each, await findStatusChange(changes, each.softDeleted));
      continue;
    }
    const owner = toOwner(each.edge);
    const key = nameOwner(owner);
    const group = groups.get(key) ?? { owner, declared: [] };
    group.declared.push(each);
    groups.set(key, group);
  }
  for (const { owner, declared } of groups.values()) {
    const aspect = await changes.read(owner);
    for (const each of declared) {
      causes.set(each, await aspect.find(nameStep(each.edge, each.direction), each.change));
    }
  }
  return causes;
}

/** Finds the change that soft-deleted or restored an entity, or that of a column. */
async function findStatusChange(changes: EdgeChanges, urn: string): Promise<EdgeChange | undefined> {
  const own = await changes.findLast({ owner: urn, aspectName: STATUS });
  return own ?? changes.findLast({ owner: parentOfColumn(urn) ?? '', aspectName: STATUS });
}

/** Counts what came and what went. */
export function countChanges(changes: readonly { readonly change: LineageChange }[]): JsonOutputObject {
  const added = changes.filter(({ change }) => change === 'added').length;
  return { added, removed: changes.length - added };
}

function describeEdge(
  { change, direction, edge: { near, far, relationship, via } }: ExplainedEdge,
  by: EdgeChange | undefined,
): JsonOutputObject {
  const [upstream, downstream] = direction === 'UPSTREAM' ? [far, near] : [near, far];
  return {
    change,
    upstream,
    downstream,
    type: relationship,
    ...(via === undefined ? {} : { via }),
    ...(by === undefined
      ? {}
      : {
          changedBy: {
            entity: by.owner,
            aspectName: by.aspectName,
            version: by.version,
            time: by.created.time,
            actor: by.created.actor,
          },
        }),
  };
}

function toOwner({ owner = '', aspectName = '' }: LineageEdge): EdgeOwner {
  return { owner, aspectName };
}

function listAllEnds(steps: readonly LineageStep[]): ReadonlySet<string> {
  return new Set([...listEnds(steps), ...steps.map(({ near }) => near)]);
}
