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

/** What can be built anew, by the names that operators use. */
export const INDEX_KINDS = ['search', 'graph'] as const;
export type IndexKind = (typeof INDEX_KINDS)[number];

function indexesOf({ searchIndexes, graphIndexes }: AdminDeps, kind: IndexKind): IndexVersions<unknown> {
  switch (kind) {
    case 'search':
      return searchIndexes;
    case 'graph':
      return graphIndexes;
    default:
      return kind satisfies never;
  }
}

/** **Errors**: `UnavailableError` when what the index is kept in is away. */
export async function describeIndex(parts: AdminDeps, kind: IndexKind): Promise<JsonOutputObject> {
  return descriptionOf(kind, await indexesOf(parts, kind).state());
}

/**
 * Has an index built anew, by the process that follows it, and answers at once. The live one answers until the new one takes its place.
 *
 * **Order and repeats**: asked again while one is being built it asks for nothing more.
 *
 * **Errors**: `UnavailableError` when what the index is kept in is away.
 */
export async function rebuildIndex(parts: AdminDeps, kind: IndexKind): Promise<JsonOutputObject> {
  await indexesOf(parts, kind).requestRebuild();
  return describeIndex(parts, kind);
}

/**
 * **Shape**: `{index, state, live?, building?, done?, total?}`. `state` is `live` when an index answers and no other is wanted, `rebuilding` while one
 * that answers is to be replaced, `building` when none answers.
 */
export function descriptionOf(index: IndexKind, { live, building }: IndexVersionsState): JsonOutputObject {
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
