import {
  distance,
  entityTypeIn,
  type Edge,
  type EdgesRequest,
  type LineageDirection,
} from '@stratalog/domain';
import type { IndexedAnswer } from '@stratalog/indexing';
import type { JsonOutput, JsonOutputObject } from '@stratalog/json';
import { findSoftDeleted, liveGraph } from '@stratalog/lineage';
import type { AspectStore, Clock, GraphIndexVersions } from '@stratalog/ports';
import { readPlace } from '../search/read-place';
import { formatScrollId, hashParameters, type ScrollParameter } from '../search/scroll-id';
import { isInSlice, scopeOf, type Slice } from './openapi-scroll';

interface EdgesDeps {
  readonly store: AspectStore;
  readonly graphIndexes: GraphIndexVersions;
  readonly clock: Clock;
}

export interface ScrollEdgesQuery {
  readonly edges: Omit<EdgesRequest, 'after'>;
  /** With `edges.ends`: only edges that lead from these in this direction. */
  readonly direction?: LineageDirection | undefined;
  readonly includesSoftDeleted: boolean;
  readonly scrollId: string | undefined;
  readonly keepAliveMs: number;
  readonly slice?: Slice;
}

/**
 * Reads one page of the edges of the graph. Edges of other slices, with a soft-deleted end and of another direction are taken out of the
 * page, so that it may be short.
 *
 * **Shape**: `{scrollId?, results: [{relationshipType, source: {entityType, urn}, destination: {entityType, urn}, upstream?,
 * downstream?}]}`, the last two for lineage.
 *
 * **Errors**: `InvalidRequestError` for an id that is unknown, expired or of another query; `UnavailableError` while the first graph is
 * being built.
 *
 * **Source**: `docs/wire-decisions.md`, Relationships.
 */
export async function scrollEdges(
  { store, graphIndexes, clock }: EdgesDeps,
  { edges: request, direction, includesSoftDeleted, scrollId, keepAliveMs, slice }: ScrollEdgesQuery,
): Promise<IndexedAnswer> {
  const parameters: readonly ScrollParameter[] = [
    ...scopeOf(slice),
    ...Object.entries({ ...request, count: undefined }).map(
      ([name, value]) => [name, value as JsonOutput | undefined] as const,
    ),
    ['direction', direction],
    ['includeSoftDelete', includesSoftDeleted],
  ];
  const nowMs = clock.now();
  const after =
    scrollId === undefined ? undefined : readPlace(scrollId, { parameters, nowMs, length: 0 }).urn;
  const graph = await liveGraph(graphIndexes);
  const page = await graph.edges({ ...request, ...(after === undefined ? {} : { after }) });
  const ends = new Set(page.edges.flatMap(({ source, destination }) => [source, destination]));
  const removed = includesSoftDeleted ? new Set<string>() : await findSoftDeleted(store, [...ends]);
  const shown = page.edges.filter(
    (edge) =>
      isInSlice(edge.source, slice) &&
      !removed.has(edge.source) &&
      !removed.has(edge.destination) &&
      leadsFrom(edge, request.ends, direction),
  );
  const digests = hashParameters(parameters);
  const place = page.next === undefined ? undefined : { keys: [], urn: page.next };
  const body = {
    ...(place && { scrollId: formatScrollId({ digests, expiresMs: nowMs + keepAliveMs, place }) }),
    results: shown.map((edge) => formatEdge(edge, request.isLineage === true)),
  };
  return {
    body,
    position: page.position,
    lag: distance(page.position, await store.readPartitionSequences()),
  };
}

function leadsFrom(
  edge: Edge,
  ends: readonly string[] | undefined,
  direction: LineageDirection | undefined,
): boolean {
  if (ends === undefined || direction === undefined) return true;
  const { upstream, downstream } = orient(edge);
  return ends.includes(direction === 'UPSTREAM' ? downstream : upstream);
}

function orient({ source, destination, isUpstream }: Edge) {
  return isUpstream
    ? { upstream: destination, downstream: source }
    : { upstream: source, downstream: destination };
}

function formatEdge(edge: Edge, isLineage: boolean): JsonOutputObject {
  return {
    relationshipType: edge.relationship,
    source: { entityType: entityTypeIn(edge.source), urn: edge.source },
    destination: { entityType: entityTypeIn(edge.destination), urn: edge.destination },
    ...(isLineage ? orient(edge) : {}),
  };
}
