import {
  parentOfColumn,
  type LineageEdge,
  type LineageScope,
  type PartitionSequences,
} from '@stratalog/domain';
import { arrangeLineage, type LineageNode } from './arrange-lineage';
import { collapseColumns, toEntity, type WalkedStep } from './collapse-columns';
import { findExcluded, listEnds, type VisibilityStore } from './find-excluded';
import { MAX_CHILDREN, walkLineage, type LineageGraph, type LineageWalk } from './walk-lineage';

export interface LineageDeps {
  readonly store: VisibilityStore;
  readonly graph: LineageGraph;
}

/** A query for the lineage of one entity. */
export interface LineageQuery extends LineageScope {
  readonly urn: string;
  readonly maxHops: number;
  /** Most entities that are followed in each hop. */
  readonly followedPerHop?: number;
  /** False: soft-deleted entities, and what only they lead to, are left out. */
  readonly includesSoftDeleted: boolean;
  /** False: the same for entities that the store does not have. */
  readonly includesMissing: boolean;
}

export interface LineageResult {
  /** The urns at which paths start. */
  readonly roots: readonly string[];
  /** By degree, and then by urn. */
  readonly nodes: readonly LineageNode[];
  /** All steps that were found between the roots and the nodes. */
  readonly steps: readonly WalkedStep[];
  /** Soft-deleted queries and jobs; the edges that they produced are excluded. */
  readonly excludedVias: readonly string[];
  /** Number of entities that were found and left out. */
  readonly excluded: number;
  /** Entities that were followed, and those of which further edges exist. */
  readonly followed: ReadonlySet<string>;
  readonly cutAt: ReadonlySet<string>;
  /** True when a limit other than the number of hops ended the walk or left out edges. */
  readonly isPartial: boolean;
  readonly position: PartitionSequences;
}

/**
 * Reads the lineage of an entity over several hops.
 *
 * **Shape**: the lineage of columns of an entity starts at its columns; the lineage of entities of a column is that of
 * the column, with columns replaced by their entities.
 *
 * **Source**: `docs/what/lineage.md`.
 */
export async function readLineage(deps: LineageDeps, query: LineageQuery): Promise<LineageResult> {
  const { urn, level, maxHops } = query;
  const isColumn = parentOfColumn(urn) !== undefined;
  const collapses = isColumn && level === 'ENTITY';
  const start = level === 'COLUMN' && !isColumn ? await listColumns(deps.graph, query) : [urn];
  const walked = await walkLineage(deps.graph, {
    ...query,
    roots: start,
    level: isColumn ? 'COLUMN' : level,
  });
  const { followed, cutAt, isPartial, position } = walked;
  const exclusions = await decideExclusions(deps.store, walked, query);
  const roots = collapses ? [toEntity(urn)] : start;
  const nodes = arrangeLineage({
    steps: walked.steps,
    roots: start,
    maxHops,
    isExcluded: exclusions.isExcluded,
    isExcludedVia: exclusions.isExcludedVia,
  });
  const between = exclusions.isNothing
    ? walked.steps
    : stepsBetween(walked, exclusions, [...start, ...nodes.map(({ urn }) => urn)]);
  const all = { roots, excludedVias: exclusions.excludedVias, isPartial, position };
  if (!collapses) {
    const excluded = exclusions.isNothing ? 0 : countEnds(walked.steps, roots) - nodes.length;
    return { ...all, nodes, steps: between, excluded, followed, cutAt };
  }
  const steps = collapseColumns(between);
  const entities = arrangeLineage({ steps, roots, maxHops });
  return {
    ...all,
    nodes: entities,
    steps,
    excluded: countEnds(collapseColumns(walked.steps), roots) - entities.length,
    followed: new Set([...followed].map(toEntity)),
    cutAt: new Set([...cutAt].map(toEntity)),
  };
}

/**
 * Reads the edges of the last steps to some nodes of a result, by the urn of the node. An edge that was removed after the
 * walk is missing.
 */
export async function readLastEdges(
  graph: LineageGraph,
  { direction, fromMs, toMs }: LineageQuery,
  { excludedVias }: Pick<LineageResult, 'excludedVias'>,
  nodes: readonly LineageNode[],
): Promise<ReadonlyMap<string, LineageEdge>> {
  const ends = nodes.map(({ step }) => step.columns ?? step);
  const edges = await graph.lineageEdges({
    direction,
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(toMs === undefined ? {} : { toMs }),
    ends: ends.map(({ near, far }) => ({ near, far })),
    exceptVia: excludedVias,
    limitPerPair: 1,
  });
  const byEnds = new Map(edges.map((edge) => [`${edge.near} ${edge.far}`, edge]));
  return new Map(
    nodes.flatMap(({ urn }, at) => {
      const edge = byEnds.get(`${ends[at]?.near ?? ''} ${ends[at]?.far ?? ''}`);
      return edge === undefined ? [] : [[urn, edge] as const];
    }),
  );
}

function listColumns(graph: LineageGraph, { urn, direction }: LineageQuery): Promise<readonly string[]> {
  return graph.lineageColumns(urn, direction, MAX_CHILDREN);
}

interface Exclusions {
  readonly isExcluded: (urn: string) => boolean;
  readonly isExcludedVia: (urn: string) => boolean;
  /** Soft-deleted queries and jobs; the edges that they produced are excluded. */
  readonly excludedVias: readonly string[];
  readonly isNothing: boolean;
}

/** Decides which entities and edges a result excludes. */
async function decideExclusions(
  store: VisibilityStore,
  { steps }: LineageWalk,
  query: LineageQuery,
): Promise<Exclusions> {
  const { softDeleted, missing } = await findExcluded(store, listEnds(steps), query);
  const excludedVias = new Set<string>();
  if (softDeleted.size > 0) {
    for (const { via } of steps) if (via !== undefined && softDeleted.has(via)) excludedVias.add(via);
  }
  return {
    isExcluded: (urn) => softDeleted.has(urn) || missing.has(urn),
    isExcludedVia: (urn) => excludedVias.has(urn),
    excludedVias: [...excludedVias],
    isNothing: softDeleted.size === 0 && missing.size === 0,
  };
}

/** Selects the steps between visible entities. */
function stepsBetween(
  { steps }: LineageWalk,
  exclusions: Exclusions,
  urns: readonly string[],
): LineageWalk['steps'] {
  const visible = new Set(urns);
  return steps.filter(
    ({ near, far, via }) =>
      visible.has(near) && visible.has(far) && !(via !== undefined && exclusions.isExcludedVia(via)),
  );
}

/** Counts the entities that a walk found. */
function countEnds(steps: readonly WalkedStep[], roots: readonly string[]): number {
  const ends = new Set(steps.map(({ far }) => far));
  return ends.size - roots.filter((root) => ends.has(root)).length;
}
