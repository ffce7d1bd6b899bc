import type { IndexedAnswer } from '@stratalog/indexing';
import {
  findExcluded,
  listEnds,
  listPaths,
  MAX_CHILDREN,
  readLastEdges,
  readLineage,
  type LineageNode,
  type LineageQuery,
  type LineageResult,
} from '@stratalog/lineage';
import { distance, parentOfColumn, type LineageEdge, type PartitionSequences } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { toDegreeValue, type DegreeValue } from './filter-degrees';
import type { Following } from './lineage-parameters';
import { chooseLevel, requireLineageUrn } from './lineage-types';
import { openLineage, type LineageUseCaseDeps, type OpenedLineage } from './open-lineage';

export interface PagedLineageQuery {
  readonly following: Following;
  readonly start: number;
  readonly count: number;
  /** The degrees of the steps to answer; absent: all. */
  readonly degrees?: readonly DegreeValue[] | undefined;
  /** Epoch milliseconds; absent: now. */
  readonly asOf?: number | undefined;
}

/** Most paths that an answer lists for each entity. */
export const MAX_PATHS = 10;
/** Most urns that an answer names as places to go on. */
const MAX_CONTINUED = 100;

/**
 * Reads a page of the lineage of an entity.
 *
 * One hop from an entity with very many neighbours is read page by page: `total` then counts excluded neighbours too, and
 * `filtered` those of the page.
 *
 * **Shape**: the reference's members, and `continueAt` when limits cut the answer.
 *
 * **Errors**: `InvalidRequestError` for a urn without lineage; `UnavailableError` while the first graph is being built.
 *
 * **Source**: `docs/wire-decisions.md`, Lineage.
 */
export async function getLineage(
  deps: LineageUseCaseDeps,
  urn: string,
  query: PagedLineageQuery,
): Promise<IndexedAnswer> {
  requireLineageUrn(deps.registry, urn);
  const opened = await openLineage(deps, query.asOf);
  const { body, position } = await readPage(opened, urn, query);
  return { body, position, lag: distance(position, await deps.store.readPartitionSequences()) };
}

/** Reads the same page of the lineage of several entities, keyed by urn. */
export async function getLineageOfEach(
  deps: LineageUseCaseDeps,
  urns: readonly string[],
  query: PagedLineageQuery,
): Promise<IndexedAnswer> {
  for (const urn of urns) requireLineageUrn(deps.registry, urn);
  const results: Record<string, JsonOutputObject> = {};
  const opened = await openLineage(deps, query.asOf);
  let position: PartitionSequences | undefined;
  for (const urn of new Set(urns)) {
    const page = await readPage(opened, urn, query);
    position ??= page.position;
    results[urn] = page.body;
  }
  position ??= await opened.graph.position();
  return { body: { results }, position, lag: distance(position, await deps.store.readPartitionSequences()) };
}

interface Page {
  readonly body: JsonOutputObject;
  readonly position: PartitionSequences;
}

async function readPage(
  opened: OpenedLineage,
  urn: string,
  { following, start, count, degrees }: PagedLineageQuery,
): Promise<Page> {
  const query = { ...following, urn, level: chooseLevel(urn, following.level) };
  const isSelected = (degree: number): boolean => degrees?.includes(toDegreeValue(degree)) !== false;
  // A page of neighbours has them all.
  const maySkipWalk = isSelected(1);
  const isFar = maySkipWalk && start + count > MAX_CHILDREN;
  const far = isFar ? await readHubPage(opened, query, start, count) : undefined;
  if (far !== undefined) return far;
  const result = await readLineage(opened, query);
  const near =
    maySkipWalk && !isFar && result.cutAt.has(urn)
      ? await readHubPage(opened, query, start, count)
      : undefined;
  if (near !== undefined) return near;
  const selected = result.nodes.filter(({ degree }) => isSelected(degree));
  const page = selected.slice(start, start + count);
  const nodes = new Map(result.nodes.map((node) => [node.urn, node]));
  const edges = await readLastEdges(opened.graph, query, result, page);
  const relationships = page.flatMap(({ urn: entity, degree }) => {
    const edge = edges.get(entity);
    if (edge === undefined) return [];
    return {
      ...formatStep(edge, { entity, degree, paths: listPaths(nodes, entity, MAX_PATHS) }),
      explored: result.followed.has(entity),
      ...(result.cutAt.has(entity) ? { truncatedChildren: true } : {}),
    };
  });
  const body = {
    ...opened.about,
    start,
    count: relationships.length,
    total: selected.length,
    ...(result.excluded === 0 ? {} : { filtered: result.excluded }),
    ...(result.isPartial ? { partial: true, continueAt: continuations(result, query.maxHops) } : {}),
    relationships,
  };
  return { body, position: result.position };
}

/** Reads one page of one hop, when the entity has more neighbours than a walk reads. */
async function readHubPage(
  { store, pages }: OpenedLineage,
  query: LineageQuery,
  start: number,
  count: number,
): Promise<Page | undefined> {
  const { urn, level, maxHops } = query;
  const isOneLevel = (parentOfColumn(urn) !== undefined) === (level === 'COLUMN');
  if (pages === undefined || maxHops > 1 || !isOneLevel) return undefined;
  const { total, edges, position } = await pages.lineagePage({ ...query, start, count });
  if (total <= MAX_CHILDREN) return undefined;
  const visible = await visibleEdges(store, edges, query);
  const filtered = edges.length - visible.length;
  const body = {
    start,
    count: visible.length,
    total,
    ...(filtered === 0 ? {} : { filtered }),
    relationships: visible.map((edge) => ({
      ...formatStep(edge, { entity: edge.far, degree: 1, paths: [[urn, edge.far]] }),
      explored: false,
    })),
  };
  return { body, position };
}

async function visibleEdges(
  store: OpenedLineage['store'],
  edges: readonly LineageEdge[],
  query: LineageQuery,
): Promise<readonly LineageEdge[]> {
  const { softDeleted, missing } = await findExcluded(store, listEnds(edges), query);
  return edges.filter(
    ({ far, via = '' }) => !missing.has(far) && !softDeleted.has(far) && !softDeleted.has(via),
  );
}

/** Lists entities whose lineage the answer lacks: those cut off first, then those that were not followed. */
function continuations({ nodes, roots, followed, cutAt }: LineageResult, maxHops: number): readonly string[] {
  const unfollowed = nodes.filter(({ urn, degree }: LineageNode) => degree < maxHops && !followed.has(urn));
  const urns = new Set([...cutAt, ...[...roots].filter((root) => !followed.has(root))]);
  for (const { urn } of unfollowed) urns.add(urn);
  return [...urns].slice(0, MAX_CONTINUED);
}

/** Formats how lineage leads to an entity. */
function formatStep(
  { relationship, created, updated, properties, via }: LineageEdge,
  {
    entity,
    degree,
    paths,
  }: {
    readonly entity: string;
    readonly degree: number;
    readonly paths: readonly (readonly string[])[];
  },
): JsonOutputObject {
  return {
    type: relationship,
    entity,
    degree,
    degrees: [degree],
    paths,
    path: paths[0] ?? [],
    createdOn: created.time,
    createdActor: created.actor,
    updatedOn: updated.time,
    updatedActor: updated.actor,
    isManual: properties?.source === 'UI',
    ...(properties === undefined ? {} : { properties }),
    ...(via === undefined ? {} : { via }),
  };
}
