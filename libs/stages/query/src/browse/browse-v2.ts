import type { IndexedAnswer } from '@stratalog/indexing';
import { parseUrn } from '@stratalog/domain';
import type { EntityType } from '@stratalog/registry';
import { narrowed, parseInput } from '@stratalog/search-text';
import type { FilterAndSort } from '../filters/filter-and-sort';
import { toAnswer, type SearchDeps } from '../search/query-index';
import { listEntitiesAt, listGroups } from './browse-groups';
import { findBrowseField, joinSteps, parseFolder } from './folder';

export interface BrowseV2Query extends Pick<FilterAndSort, 'filter' | 'includesSoftDeleted'> {
  readonly entityTypes: readonly EntityType[];
  /** Steps from the root, or one text with U+241F before each step. */
  readonly path: readonly string[] | string;
  readonly input: string;
  readonly start: number;
  readonly count: number;
}

/**
 * Lists the folders below a path of `browsePathsV2` in which the query finds entities, and the entities at the path.
 *
 * **Shape**: `{from, pageSize, numGroups, groups: [{name, displayName, entity?, count, hasSubGroups}], numEntities, entities:
 * [urn], metadata: {path, totalNumEntities}}`; `entity` is the urn of a folder that is an entity, such as a container.
 *
 * **Order and repeats**: groups by count, then by name; then entities by urn; one page over both.
 *
 * **Errors**: `UnavailableError` while the first index is being built. An unknown path is empty.
 *
 * **Source**: `docs/wire-decisions.md`, Browsing.
 */
export async function browseV2(
  deps: SearchDeps,
  { entityTypes, path, input, start, count, ...filtered }: BrowseV2Query,
): Promise<IndexedAnswer> {
  const browsable = entityTypes.flatMap((type) => findBrowseField(type, 'BROWSE_PATH_V2') ?? []);
  const field = browsable[0] ?? NO_FIELD;
  const { separator } = field;
  const folder = typeof path === 'string' ? parseFolder(path, separator) : joinSteps(path, separator);
  const { query, conditions } = parseInput(input, { entityTypes, synonyms: deps.synonyms, joins: false });
  const browsed = {
    ...filtered,
    ...narrowed(filtered.filter, conditions),
    entityTypes: entityTypes.map(({ name }) => name),
    query,
  };
  const { groups, total } = await listGroups(deps, field, folder, browsed);
  const shown = groups.slice(start, start + count);
  const answered = await listEntitiesAt(deps, field, folder, {
    ...browsed,
    start: Math.max(start - groups.length, 0),
    count: count - shown.length,
  });
  const urns = shown.map(({ name }) => name).filter((name) => 'urn' in parseUrn(name));
  const names = await deps.displayNames.of(answered.index, answered.position, urns);
  const { result } = answered;
  return toAnswer(answered, {
    from: start,
    pageSize: count,
    numGroups: groups.length,
    groups: shown.map(({ name, count: size, hasSubGroups }) => ({
      name,
      displayName: names.get(name) ?? name,
      ...(name.startsWith('urn:') ? { entity: name } : {}),
      count: size,
      hasSubGroups,
    })),
    numEntities: result.total,
    entities: result.hits.map(({ urn }) => urn),
    metadata: { path: folder, totalNumEntities: total },
  });
}

/** Of types without paths no entity is anywhere. */
const NO_FIELD = { name: 'browsePathV2', separator: '\u241f' } as const;
