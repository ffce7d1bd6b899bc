import type { IndexedAnswer } from '@stratalog/indexing';
import {
  chooseTimes,
  compareLineage,
  listPaths,
  readLineage,
  type LineageChange,
  type LineageNode,
  type LineageResult,
  type SentTimes,
} from '@stratalog/lineage';
import {
  LINEAGE_DIRECTIONS,
  distance,
  parentOfColumn,
  type LineageDirection,
  type LineageLevel,
} from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { EdgeChanges } from './find-edge-change';
import {
  countChanges,
  describeEdges,
  explainEdges,
  type ComparedLineage,
  type ExplainedEdge,
} from './explain-edges';
import { requireLineageUrn } from './lineage-types';
import { describePurged, openLineage, type LineageUseCaseDeps } from './open-lineage';

interface DiffQuery extends SentTimes {
  /** Absent: both. */
  readonly direction?: LineageDirection | undefined;
  readonly maxHops: number;
  readonly columns: boolean;
  /** Most members of each list. */
  readonly count: number;
  readonly includesSoftDeleted: boolean;
}

/**
 * Describes how the lineage of an entity differs between two times: entities that it leads to at one time alone, and edges
 * that came or went, with the change that did it.
 *
 * **Errors**: `InvalidRequestError` for a urn without lineage, a time that the history does not reach, and times in the
 * wrong order; `UnavailableError` while the first graph is being built.
 *
 * **Source**: `docs/wire-decisions.md`, Lineage.
 */
export async function diffLineage(
  deps: LineageUseCaseDeps,
  urn: string,
  query: DiffQuery,
): Promise<IndexedAnswer> {
  requireLineageUrn(deps.registry, urn);
  const times = await chooseTimes(deps, query);
  const after = await openLineage(deps, query.to, 'to');
  const before = await openLineage(deps, times.fromMs, 'from');
  const compared = { before, after, changes: new EdgeChanges(deps, times) };
  const { direction, columns, count } = query;
  const levels: readonly LineageLevel[] =
    columns || parentOfColumn(urn) !== undefined ? ['ENTITY', 'COLUMN'] : ['ENTITY'];
  const position = await after.graph.position();
  let body: JsonOutputObject = { urn, from: times.fromMs, to: times.toMs };
  let isPartial = false;
  for (const level of levels) {
    const both = await Promise.all(
      (direction === undefined ? LINEAGE_DIRECTIONS : [direction]).map((each) =>
        diffOneWay(compared, { ...query, urn, level, direction: each }),
      ),
    );
    isPartial ||= both.some((each) => each.isPartial);
    const [nodes, edges] = level === 'ENTITY' ? ['entities', 'edges'] : ['columns', 'columnEdges'];
    body = {
      ...body,
      [nodes]: describeNodes(
        both.flatMap((each) => each.nodes),
        count,
      ),
      [edges]: await describeEdges(
        compared,
        both.flatMap((each) => each.edges),
        count,
      ),
    };
  }
  const lost = describePurged([...before.lost, ...after.lost]);
  return {
    body: { ...body, ...lost, ...(isPartial ? { partial: true } : {}) },
    position,
    lag: distance(position, await deps.store.readPartitionSequences()),
  };
}

interface OneWay extends Omit<DiffQuery, 'direction'> {
  readonly urn: string;
  readonly level: LineageLevel;
  readonly direction: LineageDirection;
}

interface DiffNode {
  readonly change: LineageChange;
  readonly direction: LineageDirection;
  readonly node: LineageNode;
  readonly path: readonly string[];
}

async function diffOneWay(
  compared: ComparedLineage,
  { urn, level, direction, maxHops, includesSoftDeleted }: OneWay,
): Promise<{
  readonly nodes: readonly DiffNode[];
  readonly edges: readonly ExplainedEdge[];
  readonly isPartial: boolean;
}> {
  const query = { urn, level, direction, maxHops, includesSoftDeleted, includesMissing: true };
  const before = await readLineage(compared.before, query);
  const after = await readLineage(compared.after, query);
  const { nodes, steps } = compareLineage(before, after);
  const byUrn = (result: LineageResult) => new Map(result.nodes.map((node) => [node.urn, node]));
  const known = { removed: byUrn(before), added: byUrn(after) };
  const pathTo = (change: LineageChange, { urn: far }: LineageNode) =>
    listPaths(known[change], far, 1)[0] ?? [];
  return {
    nodes: nodes.map(({ change, value }) => ({
      change,
      direction,
      node: value,
      path: pathTo(change, value),
    })),
    edges: await explainEdges(compared, { steps, direction, before, after, includesSoftDeleted }),
    isPartial: before.isPartial || after.isPartial,
  };
}

/** Counts nodes by their change, and lists the nearest. */
function describeNodes(nodes: readonly DiffNode[], count: number): JsonOutputObject {
  const sorted = nodes.toSorted(
    (a, b) => a.node.degree - b.node.degree || (a.node.urn < b.node.urn ? -1 : 1),
  );
  return {
    ...countChanges(nodes),
    changes: sorted.slice(0, count).map(({ change, direction, node, path }) => ({
      change,
      direction,
      entity: node.urn,
      degree: node.degree,
      path,
    })),
  };
}
