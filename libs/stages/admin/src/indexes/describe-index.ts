import { InvalidRequestError } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import type {
  IndexVersionsState,
  GraphIndexVersions,
  IndexVersions,
  SearchIndexVersions,
  TimeseriesIndexing,
} from '@stratalog/ports';

export interface IndexDeps {
  readonly searchIndexes: SearchIndexVersions;
  readonly graphIndexes: GraphIndexVersions;
  /** None when statistics come from the store alone. */
  readonly timeseriesIndex?: TimeseriesIndexing;
}

/** The indices that can be rebuilt, by their names in requests. */
export const INDEX_KINDS = ['search', 'graph', 'timeseries'] as const;
export type IndexKind = (typeof INDEX_KINDS)[number];

/** Lists the indices that this catalog has. */
export function listIndexKinds({ timeseriesIndex }: IndexDeps): readonly IndexKind[] {
  return INDEX_KINDS.filter((kind) => kind !== 'timeseries' || timeseriesIndex !== undefined);
}

/**
 * Returns the versions of one kind of index.
 *
 * **Errors**: `InvalidRequestError` for an index that this catalog does not have.
 */
export function selectIndex(
  { searchIndexes, graphIndexes, timeseriesIndex }: IndexDeps,
  kind: IndexKind,
): IndexVersions<unknown> {
  switch (kind) {
    case 'search':
      return searchIndexes;
    case 'graph':
      return graphIndexes;
    case 'timeseries':
      if (timeseriesIndex === undefined) {
        throw new InvalidRequestError(
          "Parameter 'index': this catalog has no timeseries index, because statistics come from PostgreSQL",
        );
      }
      return timeseriesIndex.versions;
    default:
      return kind satisfies never;
  }
}

/**
 * Describes the live index version and the one being built.
 *
 * **Shape**: see {@link formatDescription}.
 *
 * **Errors**: those of {@link selectIndex}; `UnavailableError` when the index's store is unavailable.
 */
export async function describeIndex(deps: IndexDeps, kind: IndexKind): Promise<JsonOutputObject> {
  return formatDescription(kind, await selectIndex(deps, kind).state());
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
    ...(building === undefined ? {} : { building: building.name, ...formatProgress(building) }),
  };
}

function formatProgress({ progress }: NonNullable<IndexVersionsState['building']>): JsonOutputObject {
  return progress === undefined ? {} : { done: progress.done, total: progress.total };
}

function toState(live: IndexVersionsState['live']): 'live' | 'rebuilding' | 'building' {
  if (live === undefined) return 'building';
  return live.isOutdated ? 'rebuilding' : 'live';
}
