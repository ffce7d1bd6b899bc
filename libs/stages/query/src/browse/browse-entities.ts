import type { IndexedAnswer } from '@stratalog/indexing';
import type { EntityType } from '@stratalog/registry';
import type { FilterAndSort } from '../filters/filter-and-sort';
import { nameInUrn } from '../facets/display-names';
import { toAnswer, type SearchDeps } from '../search/query-index';
import { listEntitiesAt, listGroups } from './browse-groups';
import { findBrowseField, parseFolder } from './folder';

export interface BrowseQuery extends Pick<FilterAndSort, 'filter' | 'includesSoftDeleted'> {
  readonly entityType: EntityType;
  readonly path: string;
  /** Offset and size of the page over the groups and then the entities. */
  readonly start: number;
  readonly limit: number;
}

/**
 * Lists the groups below a path of `browsePaths`, and the entities at it.
 *
 * **Shape**: `{numEntities, pageSize, from, entities: [{name, urn}], groups, numGroups, numElements, metadata: {path, groups,
 * totalNumEntities}}`; `numEntities` counts the entities at the path, `totalNumEntities` those in its groups.
 *
 * **Order and repeats**: groups by count, then by name; then entities by urn.
 *
 * **Errors**: `UnavailableError` while the first index is being built. An unknown path is empty.
 *
 * **Source**: `docs/wire-decisions.md`, Browsing.
 */
export async function browseEntities(
  deps: SearchDeps,
  { entityType, path, start, limit, ...filtered }: BrowseQuery,
): Promise<IndexedAnswer> {
  const field = findBrowseField(entityType, 'BROWSE_PATH') ?? NO_FIELD;
  const folder = parseFolder(path, field.separator);
  const browsed = { ...filtered, entityTypes: [entityType.name], query: { kind: 'all' } as const };
  const { groups, total } = await listGroups(deps, field, folder, browsed);
  const shown = groups.slice(start, start + limit).map(({ name, count }) => ({ name, count }));
  const answered = await listEntitiesAt(deps, field, folder, {
    ...browsed,
    start: Math.max(start - groups.length, 0),
    count: limit - shown.length,
  });
  const { result } = answered;
  return toAnswer(answered, {
    numEntities: result.total,
    pageSize: limit,
    from: start,
    metadata: { totalNumEntities: total, groups: shown, path },
    entities: result.hits.map(({ urn }) => ({ name: nameInUrn(urn), urn })),
    groups: shown,
    numGroups: groups.length,
    numElements: result.total + groups.length,
  });
}

/** Of a type without paths no entity is anywhere. */
const NO_FIELD = { name: 'browsePaths', separator: '/' } as const;
