import {
  parentOfColumn,
  type LineageDirection,
  type LineageLevel,
  type PartitionSequences,
} from '@stratalog/domain';
import { toEntity } from '../collapse-columns';
import { findExcluded, listEnds } from '../find-excluded';
import { readLineage, type LineageDeps, type LineageResult } from '../read-lineage';
import {
  arrangePicture,
  chooseNodes,
  type Chosen,
  type DirectedLineage,
  type Neighbours,
} from './arrange-picture';
import type { Picture } from './picture';

/** Most neighbours of a shown entity that are read to count those that are not shown. */
const MAX_NEIGHBOURS = 200;
/** The same for all shown entities. */
const MAX_ALL_NEIGHBOURS = 20_000;

export interface PictureQuery {
  readonly urn: string;
  readonly directions: readonly LineageDirection[];
  readonly maxHops: number;
  /** Most entities that are shown; the nearest ones are. */
  readonly maxNodes: number;
  /** True: the columns of the entity and their lineage are shown too. Those of a column always are. */
  readonly hasColumns: boolean;
  readonly includesSoftDeleted: boolean;
}

/**
 * Reads what a picture shows of the lineage around an entity or a column.
 *
 * The walk tells which entities are shown. One more hop from these finds the edges between them that the walk did not
 * follow, and the number of their neighbours that are not shown.
 *
 * **Source**: `docs/what/lineage.md`.
 */
export async function readPicture(
  deps: LineageDeps,
  query: PictureQuery,
): Promise<Picture & { readonly position: PartitionSequences }> {
  const { urn, hasColumns } = query;
  const isColumn = parentOfColumn(urn) !== undefined;
  const entities = await readBothWays(deps, query, 'ENTITY');
  const columnLineage = hasColumns || isColumn ? await readBothWays(deps, query, 'COLUMN') : [];
  const found = [...entities, ...columnLineage];
  const chosen = chooseNodes(toEntity(urn), found, query.maxNodes);
  const neighbours = await readNeighbours(
    deps,
    query,
    isColumn ? shownColumns(chosen, columnLineage) : [...chosen.keys()],
  );
  const picture = arrangePicture({
    chosen,
    found,
    columnLineage,
    neighbours,
    askedColumn: isColumn ? urn : undefined,
  });
  return { ...picture, position: entities[0]?.position ?? (await deps.graph.position()) };
}

async function readBothWays(
  deps: LineageDeps,
  { urn, directions, maxHops, maxNodes, includesSoftDeleted }: PictureQuery,
  level: LineageLevel,
): Promise<readonly (DirectedLineage & Pick<LineageResult, 'position'>)[]> {
  const found = [];
  for (const direction of directions) {
    const result = await readLineage(deps, {
      urn,
      direction,
      level,
      maxHops,
      // Of columns more: many of them share one shown entity.
      ...(level === 'ENTITY' ? { followedPerHop: maxNodes } : {}),
      includesSoftDeleted,
      includesMissing: true,
    });
    found.push({ ...result, direction });
  }
  return found;
}

/** Lists the columns within chosen entities, because the neighbours of a column are those of columns alone. */
function shownColumns(chosen: Chosen, columnLineage: readonly DirectedLineage[]): readonly string[] {
  const urns = columnLineage.flatMap(({ nodes, steps }) => [
    ...nodes.map(({ urn }) => urn),
    ...steps.map(({ near }) => near),
  ]);
  return [...new Set(urns)].filter((urn) => parentOfColumn(urn) !== undefined && chosen.has(toEntity(urn)));
}

async function readNeighbours(
  { graph, store }: LineageDeps,
  { directions, includesSoftDeleted }: PictureQuery,
  urns: readonly string[],
): Promise<readonly Neighbours[]> {
  const level = urns.some((urn) => parentOfColumn(urn) !== undefined) ? 'COLUMN' : 'ENTITY';
  const limits = { limitPerUrn: MAX_NEIGHBOURS + 1, limit: MAX_ALL_NEIGHBOURS };
  const neighbours: Neighbours[] = [];
  for (const direction of directions) {
    const {
      steps,
      answered,
      cutAt: unread = [],
    } = await graph.lineageHop({
      urns,
      direction,
      level,
      ...limits,
    });
    const counts = new Map<string, number>();
    for (const { near } of steps) counts.set(near, (counts.get(near) ?? 0) + 1);
    const cutAt = urns.filter((urn, at) => at >= answered || (counts.get(urn) ?? 0) > MAX_NEIGHBOURS);
    neighbours.push({ direction, steps, cutAt: new Set([...cutAt, ...unread].map(toEntity)) });
  }
  const ends = listEnds(neighbours.flatMap(({ steps }) => steps));
  const { softDeleted } = await findExcluded(store, ends, { includesSoftDeleted, includesMissing: true });
  return neighbours.map((each) => ({
    ...each,
    steps: each.steps.filter(({ far, via = '' }) => !softDeleted.has(far) && !softDeleted.has(via)),
  }));
}
