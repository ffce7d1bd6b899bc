import type { IndexedAnswer } from '@stratalog/indexing';
import { listPaths, readLineage, type LineageNode } from '@stratalog/lineage';
import { InvalidRequestError, distance, parentOfColumn, parseUrn, entityTypeIn } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { columnUrn } from '@stratalog/registry';
import { readDisplayNames } from '../facets/display-names';
import { queryIndex, type SearchDeps } from '../search/query-index';
import { requireLineageUrn } from './lineage-types';
import { openLineage, type LineageUseCaseDeps } from './open-lineage';

/** Search fields of the model that an impact is counted by. */
const PLATFORM = 'platform';
const OWNERS = 'owners';
/** Most owners and platforms that are counted. */
const MAX_VALUES = 1_000;

interface ImpactQuery {
  /** Field path of a column of the entity. */
  readonly column?: string | undefined;
  readonly maxHops: number;
  /** Most entities that the answer names. */
  readonly count: number;
  readonly includesSoftDeleted: boolean;
  /** Epoch milliseconds; absent: now. */
  readonly asOf?: number | undefined;
}

/**
 * Describes what depends on an entity, or on one of its columns.
 *
 * **Errors**: `InvalidRequestError` for a urn without lineage, and for a column of a column; `UnavailableError` while the
 * first graph or search index is being built.
 *
 * **Source**: `docs/wire-decisions.md`, Lineage.
 */
export async function describeImpact(
  deps: LineageUseCaseDeps & SearchDeps,
  urn: string,
  { column, maxHops, count, includesSoftDeleted, asOf }: ImpactQuery,
): Promise<IndexedAnswer> {
  requireLineageUrn(deps.registry, urn);
  const start = column === undefined ? urn : toColumn(urn, column);
  const opened = await openLineage(deps, asOf);
  const scope = { direction: 'DOWNSTREAM', includesSoftDeleted, includesMissing: true } as const;
  const walk = (level: 'ENTITY' | 'COLUMN') => readLineage(opened, { ...scope, urn: start, maxHops, level });
  const [entities, columns] = [await walk('ENTITY'), await walk('COLUMN')];
  const nodes = new Map(entities.nodes.map((node) => [node.urn, node]));
  const body = {
    urn,
    ...(column === undefined ? {} : { column }),
    ...opened.about,
    entities: nodes.size,
    columns: columns.nodes.filter((node) => parentOfColumn(node.urn) !== undefined).length,
    byType: countBy(entities.nodes, ({ urn }) => entityTypeIn(urn)),
    byDegree: countBy(entities.nodes, ({ degree }) => String(degree)),
    ...(await countInIndex(deps, [...nodes.keys()])),
    nearest: entities.nodes.slice(0, count).map(({ urn: entity, degree }) => ({
      entity,
      degree,
      path: listPaths(nodes, entity, 1)[0] ?? [],
    })),
    ...(entities.excluded === 0 ? {} : { filtered: entities.excluded }),
    ...(entities.isPartial || columns.isPartial ? { partial: true } : {}),
  };
  return {
    body,
    position: entities.position,
    lag: distance(entities.position, await deps.store.readPartitionSequences()),
  };
}

function toColumn(urn: string, fieldPath: string): string {
  if (parentOfColumn(urn) !== undefined) {
    throw new InvalidRequestError(
      "Parameter 'column' names a column of the entity, but 'urn' is a column itself",
    );
  }
  const column = columnUrn(urn, fieldPath);
  const parsed = parseUrn(column);
  if ('fault' in parsed)
    throw new InvalidRequestError(`Parameter 'column' makes no valid urn: ${parsed.fault}`);
  return column;
}

/** Counts entities by their platform and owners, as the search index has them. */
async function countInIndex(deps: SearchDeps, urns: readonly string[]): Promise<JsonOutputObject> {
  if (urns.length === 0) return { byPlatform: {}, owners: [], withoutOwner: 0 };
  const all = {
    entityTypes: deps.registry.entityTypes.map(({ name }) => name),
    query: { kind: 'all' } as const,
    includesSoftDeleted: true,
    urns,
    start: 0,
    count: 0,
  };
  const { index, result } = await queryIndex(deps, {
    ...all,
    facets: [{ fields: [PLATFORM] }, { fields: [OWNERS] }],
    facetLimit: MAX_VALUES,
  });
  const [platforms, owners] = result.facets.map(({ counts }) =>
    counts.map(({ values, count }) => [values[0] ?? '', count] as const),
  );
  const hasNoOwner = [[{ fields: [OWNERS], negated: true, condition: 'exists' as const }]];
  const orphans = await queryIndex(deps, { ...all, filter: hasNoOwner, facets: [], facetLimit: 0 });
  const names = await readDisplayNames(
    index,
    (owners ?? []).map(([owner]) => owner),
  );
  return {
    byPlatform: Object.fromEntries(platforms ?? []),
    owners: (owners ?? []).map(([owner, entities]) => {
      const name = names.get(owner);
      return { owner, ...(name === undefined ? {} : { name }), entities };
    }),
    withoutOwner: orphans.result.total,
  };
}

function countBy(
  nodes: readonly LineageNode[],
  key: (node: LineageNode) => string,
): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const node of nodes) counts.set(key(node), (counts.get(key(node)) ?? 0) + 1);
  return Object.fromEntries(counts);
}
