import { entityTypeIn, NotFoundError } from '@stratalog/domain';
import type { IndexedAnswer } from '@stratalog/indexing';
import type { ReadDeps } from '../entities/view-entities';
import { toAnswer, type SearchDeps } from '../search/query-index';
import { findScrollPage, type ScrollQuery } from '../search/scroll-entities';
import { isInSlice, scopeOf, type Slice } from './openapi-scroll';
import { readEntityList, type OpenApiEntity } from './read-entity-list';

interface AspectsQuery {
  /** Empty: all aspects. */
  readonly aspectNames: readonly string[];
  readonly withMetadata: boolean;
}

export interface ScrollListQuery extends Omit<AspectsQuery, 'aspectNames'> {
  readonly scroll: Omit<ScrollQuery, 'scope'>;
  /** Absent: urns only. Empty: all aspects. */
  readonly aspectNames: readonly string[] | undefined;
  readonly slice?: Slice;
}

/**
 * Reads one page of the matches of a search with their aspects.
 *
 * **Shape**: `{scrollId?, entities: [{urn, <aspect>: {value, systemMetadata?, auditStamp?}}], totalCount}`. `totalCount`
 * counts the matches of all slices. The page of a slice is shorter than `count`, and may be empty before the last.
 *
 * **Order and repeats**: those of a scroll. A match that is deleted before its aspects are read is left out.
 *
 * **Errors**: those of a scroll, and of {@link readEntityList}.
 *
 * **Source**: `docs/wire-decisions.md`, Searching.
 */
export async function scrollEntityList(
  deps: ReadDeps & SearchDeps,
  { scroll, aspectNames, withMetadata, slice }: ScrollListQuery,
): Promise<IndexedAnswer> {
  const { answered, nextScrollId } = await findScrollPage(deps, { ...scroll, scope: scopeOf(slice) });
  const { hits, total } = answered.result;
  const urns = hits.map(({ urn }) => urn).filter((urn) => isInSlice(urn, slice));
  const entities =
    aspectNames === undefined
      ? urns.map((urn) => ({ urn }))
      : await readOfSeveralTypes(deps, urns, { aspectNames, withMetadata });
  return toAnswer(answered, {
    ...(nextScrollId === undefined ? {} : { scrollId: nextScrollId }),
    entities,
    totalCount: total,
  });
}

/**
 * Reads one entity.
 *
 * **Errors**: `NotFoundError` when it does not exist, and those of {@link readEntityList}.
 */
export async function readOneEntity(
  deps: ReadDeps,
  {
    entityType,
    urn,
    aspectNames,
    withMetadata,
  }: AspectsQuery & { readonly entityType: string; readonly urn: string },
): Promise<OpenApiEntity> {
  const entities = [{ urn, versions: latestOf(aspectNames) }];
  const [entity] = await readEntityList(deps, { entityType, entities, withMetadata, parameter: 'urn' });
  if (entity === undefined) throw new NotFoundError(`There is no entity ${urn}`);
  return entity;
}

/** Reads entities type by type, and returns them in the order of their urns. */
async function readOfSeveralTypes(
  deps: ReadDeps,
  urns: readonly string[],
  { aspectNames, withMetadata }: AspectsQuery,
): Promise<readonly OpenApiEntity[]> {
  const versions = latestOf(aspectNames);
  const read = new Map<string, OpenApiEntity>();
  for (const entityType of new Set(urns.map(entityTypeIn))) {
    const entities = urns.filter((urn) => entityTypeIn(urn) === entityType).map((urn) => ({ urn, versions }));
    for (const entity of await readEntityList(deps, { entityType, entities, withMetadata }))
      read.set(entity.urn, entity);
  }
  return urns.flatMap((urn) => read.get(urn) ?? []);
}

function latestOf(aspectNames: readonly string[]): ReadonlyMap<string, number> {
  return new Map(aspectNames.map((name) => [name, 0]));
}
