import type { JsonOutputObject } from '@stratalog/model';
import type {
  IndexVersionsState,
  GraphIndexVersions,
  IndexVersions,
  SearchIndexVersions,
} from '@stratalog/ports';

export interface AdminDeps {
  readonly searchIndexes: SearchIndexVersions;
  readonly graphIndexes: GraphIndexVersions;
}

/** The indices that can be rebuilt, by their names in requests. */
export const INDEX_KINDS = ['search', 'graph'] as const;
export type IndexKind = (typeof INDEX_KINDS)[number];

function selectIndex({ searchIndexes, graphIndexes }: AdminDeps, kind: IndexKind): IndexVersions<unknown> {
  switch (kind) {
    case 'search':
      return searchIndexes;
    case 'graph':
      return graphIndexes;
    default:
      return kind satisfies never;
  }
}

/**
 * Describes the live index version and the one being built.
 *
 * **Shape**: see {@link formatDescription}.
 *
 * **Errors**: `UnavailableError` when the index's store is unavailable.
 */
export async function describeIndex(deps: AdminDeps, kind: IndexKind): Promise<JsonOutputObject> {
  return formatDescription(kind, await selectIndex(deps, kind).state());
}

/**
 * Requests a new index version and returns at once. The process that follows the index builds it; the live version
 * answers until the new one is activated.
 *
 * **Order and repeats**: a repeated request during a build has no further effect.
 *
 * **Errors**: `UnavailableError` when the index's store is unavailable.
 */
export async function rebuildIndex(deps: AdminDeps, kind: IndexKind): Promise<JsonOutputObject> {
  await selectIndex(deps, kind).requestRebuild();
  return describeIndex(deps, kind);
}

/**
 * Formats the state of an index's versions.
 *
 * **Shape**: `{index, state, live?, building?, done?, total?}`. `state` is `live` when a version answers and no other
 * is requested, `rebuilding` while the live version is being replaced, `building` when no version answers yet.
 */
export function formatDescription(
  index: IndexKind,
  { live, building }: IndexVersionsState,
): JsonOutputObject {
  return {
    index,
    state: toState(live),
    ...(live === undefined ? {} : { live: live.name }),
    ...(building === undefined ? {} : { building: building.name, ...building.progress }),
  };
}

function toState(live: IndexVersionsState['live']): 'live' | 'rebuilding' | 'building' {
  if (live === undefined) return 'building';
  return live.isOutdated ? 'rebuilding' : 'live';
}
