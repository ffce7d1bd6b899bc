import { parentOfColumn, type LineageDirection, type LineageStep } from '@stratalog/domain';
import { toEntity } from '../collapse-columns';
import type { LineageNode } from '../arrange-lineage';
import type { OmittedCount, Picture, PictureEdge, PictureNode } from './picture';

/** Most columns of one entity that are shown. */
export const MAX_COLUMNS = 15;
/** Most edges that are shown; more of them are black, not lines. */
const MAX_DRAWN_EDGES = 1_000;
/** Most entities that one edge names as those that produced it. */
const MAX_VIAS = 10;

/** Visible lineage in one direction. */
export interface DirectedLineage {
  readonly direction: LineageDirection;
  readonly nodes: readonly Pick<LineageNode, 'urn' | 'degree'>[];
  readonly steps: readonly LineageStep[];
  readonly isPartial: boolean;
}

/** The neighbours of the shown entities in one direction: more than the lineage that was followed. */
export interface Neighbours {
  readonly direction: LineageDirection;
  readonly steps: readonly LineageStep[];
  /** Entities of which further neighbours exist. */
  readonly cutAt: ReadonlySet<string>;
}

/** Nodes of a picture with their signed degrees, nearest first. */
export type Chosen = ReadonlyMap<string, number>;

/**
 * Chooses the entities that a picture shows: the nearest ones, and of one distance as many upstream as downstream.
 *
 * **Order and repeats**: by distance. An entity that is upstream and downstream is chosen once.
 */
export function chooseNodes(root: string, found: readonly DirectedLineage[], maxNodes: number): Chosen {
  const ranked = found.flatMap(({ direction, nodes }) => {
    const ranks = new Map<number, number>();
    return nodes.map(({ urn, degree }) => {
      const rank = ranks.get(degree) ?? 0;
      ranks.set(degree, rank + 1);
      return { urn: toEntity(urn), degree, rank, sign: direction === 'UPSTREAM' ? -1 : 1 };
    });
  });
  ranked.sort((a, b) => a.degree - b.degree || a.rank - b.rank || a.sign - b.sign);
  const chosen = new Map([[root, 0]]);
  for (const { urn, degree, sign } of ranked) {
    if (chosen.size >= maxNodes) break;
    if (!chosen.has(urn)) chosen.set(urn, sign * degree);
  }
  return chosen;
}

export interface PictureParts {
  readonly chosen: Chosen;
  readonly found: readonly DirectedLineage[];
  /** Lineage between columns; empty: the picture shows none. */
  readonly columnLineage: readonly DirectedLineage[];
  readonly neighbours: readonly Neighbours[];
  readonly askedColumn?: string | undefined;
}

/**
 * Arranges a picture of the chosen entities. Between two entities it shows the edges of their columns, or one edge when
 * no shown column has one.
 */
export function arrangePicture({
  chosen,
  found,
  columnLineage,
  neighbours,
  askedColumn,
}: PictureParts): Picture {
  const columnEdges = joinEdges(columnLineage, chosen, (urn) => urn);
  const shown = chooseColumns(columnEdges, askedColumn);
  const ofColumns = columnEdges.map((edge) => toPictureEdge(edge, shown));
  const linked = new Set(ofColumns.map(toPairKey));
  const between = withoutRepeats(
    joinEdges([...found, ...neighbours], chosen, toEntity).map(({ from, to, vias }) =>
      withVias({ from, to }, vias),
    ),
  ).filter((edge) => !linked.has(toPairKey(edge)));
  const edges = mergeEdges([...between, ...ofColumns]);
  const omitted = neighbours.map((each) => ({ ...each, byUrn: groupOmitted(each, chosen) }));
  const nodes = [...chosen].map(([urn, degree]): PictureNode => {
    const own = shown.get(urn) ?? { columns: [], moreColumns: 0 };
    const more = (direction: LineageDirection) => countOmitted(urn, direction, omitted);
    return { urn, degree, ...own, moreUpstream: more('UPSTREAM'), moreDownstream: more('DOWNSTREAM') };
  });
  const reached = new Set(found.flatMap((each) => each.nodes.map(({ urn }) => toEntity(urn))));
  const isPartial =
    [...reached].some((urn) => !chosen.has(urn)) ||
    found.some((each) => each.isPartial) ||
    edges.length > MAX_DRAWN_EDGES;
  return { nodes, edges: edges.slice(0, MAX_DRAWN_EDGES), isPartial };
}

/** Joins edges with the same ends: those of columns that are not shown. */
function mergeEdges(edges: readonly PictureEdge[]): readonly PictureEdge[] {
  const merged = new Map<string, PictureEdge>();
  for (const { via = [], ...ends } of edges) {
    const key = JSON.stringify(ends);
    merged.set(key, withVias(ends, [...(merged.get(key)?.via ?? []), ...via]));
  }
  return [...merged.values()];
}

function withVias(ends: Omit<PictureEdge, 'via'>, vias: Iterable<string>): PictureEdge {
  const via = [...new Set(vias)].sort().slice(0, MAX_VIAS);
  return via.length === 0 ? ends : { ...ends, via };
}

/** Types of entities that say how one entity is made from another. */
const JOB_TYPES = /^urn:[^:]+:(?:dataJob|dataProcess|dataProcessInstance):/;

/** Drops edges that only repeat a way through one shown job: connectors often report both. */
function withoutRepeats(edges: readonly PictureEdge[]): readonly PictureEdge[] {
  const pairs = new Set(edges.map(toPairKey));
  const jobsAfter = new Map<string, string[]>();
  for (const { from, to } of edges) {
    if (JOB_TYPES.test(to)) jobsAfter.set(from, [...(jobsAfter.get(from) ?? []), to]);
  }
  const isRepeat = ({ from, to }: PictureEdge): boolean =>
    jobsAfter.get(from)?.some((job) => job !== to && pairs.has(toPairKey({ from: job, to }))) === true;
  return edges.filter((edge) => JOB_TYPES.test(edge.from) || JOB_TYPES.test(edge.to) || !isRepeat(edge));
}

interface JoinedEdge {
  readonly from: string;
  readonly to: string;
  readonly vias: Set<string>;
}

/** Turns steps between chosen entities into edges, each from upstream to downstream, once. */
function joinEdges(
  lineage: readonly Pick<DirectedLineage, 'direction' | 'steps'>[],
  chosen: Chosen,
  shownAs: (urn: string) => string,
): readonly JoinedEdge[] {
  const edges = new Map<string, JoinedEdge>();
  for (const { direction, steps } of lineage) {
    for (const step of steps) {
      const [near, far] = [shownAs(step.near), shownAs(step.far)];
      if (toEntity(near) === toEntity(far)) continue;
      if (!chosen.has(toEntity(near)) || !chosen.has(toEntity(far))) continue;
      const [from, to] = direction === 'UPSTREAM' ? [far, near] : [near, far];
      const key = `${from} ${to}`;
      const edge = edges.get(key) ?? { from, to, vias: new Set() };
      if (step.via !== undefined) edge.vias.add(step.via);
      edges.set(key, edge);
    }
  }
  return [...edges.values()];
}

type ShownColumns = Pick<PictureNode, 'columns' | 'moreColumns'>;

/** Chooses the columns at the ends of edges, by urn, and the asked one first. */
function chooseColumns(
  edges: readonly JoinedEdge[],
  asked: string | undefined,
): ReadonlyMap<string, ShownColumns> {
  const byEntity = new Map<string, Set<string>>();
  const ends = edges.flatMap(({ from, to }) => [from, to]).sort();
  for (const urn of [...(asked === undefined ? [] : [asked]), ...ends]) {
    const entity = parentOfColumn(urn);
    if (entity === undefined) continue;
    const columns = byEntity.get(entity);
    if (columns === undefined) byEntity.set(entity, new Set([urn]));
    else columns.add(urn);
  }
  return new Map(
    [...byEntity].map(([entity, columns]) => [
      entity,
      { columns: [...columns].slice(0, MAX_COLUMNS), moreColumns: Math.max(0, columns.size - MAX_COLUMNS) },
    ]),
  );
}

/** An edge of a column that is not shown begins or ends at the entity. */
function toPictureEdge(
  { from, to, vias }: JoinedEdge,
  shown: ReadonlyMap<string, ShownColumns>,
): PictureEdge {
  const ends = { from: toEntity(from), to: toEntity(to) };
  const isShown = (urn: string): boolean => shown.get(toEntity(urn))?.columns.includes(urn) === true;
  const columns = {
    ...(isShown(from) ? { fromColumn: from } : {}),
    ...(isShown(to) ? { toColumn: to } : {}),
  };
  return withVias({ ...ends, ...columns }, vias);
}

function toPairKey({ from, to }: PictureEdge): string {
  return `${from} ${to}`;
}

/** Groups the neighbours that are not shown by the entity that they belong to. */
function groupOmitted({ steps }: Neighbours, chosen: Chosen): ReadonlyMap<string, ReadonlySet<string>> {
  const byUrn = new Map<string, Set<string>>();
  for (const step of steps) {
    const far = toEntity(step.far);
    if (chosen.has(far)) continue;
    const near = toEntity(step.near);
    const own = byUrn.get(near);
    if (own === undefined) byUrn.set(near, new Set([far]));
    else own.add(far);
  }
  return byUrn;
}

interface OmittedNeighbours extends Neighbours {
  readonly byUrn: ReadonlyMap<string, ReadonlySet<string>>;
}

function countOmitted(
  urn: string,
  direction: LineageDirection,
  omitted: readonly OmittedNeighbours[],
): OmittedCount {
  const own = omitted.find((each) => each.direction === direction);
  return { count: own?.byUrn.get(urn)?.size ?? 0, isExact: own?.cutAt.has(urn) !== true };
}
