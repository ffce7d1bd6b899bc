import { parentOfColumn, type LineageStep } from '@stratalog/domain';
import { findExisting } from '@stratalog/concurrency';
import type { AspectStore } from '@stratalog/ports';

/** The store as far as it tells what to exclude. */
export type VisibilityStore = Pick<AspectStore, 'filterSoftDeleted' | 'readEntities'>;

/** Lists the urns that decide whether steps are excluded: where they lead to, and what produced their edges. */
export function listEnds(steps: Iterable<LineageStep>): ReadonlySet<string> {
  const ends = new Set<string>();
  for (const { far, via } of steps) {
    ends.add(far);
    if (via !== undefined) ends.add(via);
  }
  return ends;
}

/** The entities among some urns that are not visible. */
export interface ExcludedEntities {
  /** Their `status` says `removed`; of a column, its own or that of its entity. Empty when they are included. */
  readonly softDeleted: ReadonlySet<string>;
  /** Never written, or hard-deleted; a column counts as present when its entity is. Empty when they are included. */
  readonly missing: ReadonlySet<string>;
}

/** Entities that are visible regardless of the store. */
interface Included {
  readonly includesSoftDeleted: boolean;
  readonly includesMissing: boolean;
}

/** Number of urns that one read of the store names. */
const PAGE = 5_000;

/** Finds the soft-deleted and the missing entities among `urns`. It reads the store only for those that are not included. */
export async function findExcluded(
  store: VisibilityStore,
  urns: Iterable<string>,
  { includesSoftDeleted, includesMissing }: Included,
): Promise<ExcludedEntities> {
  const parents = new Map<string, string | undefined>();
  for (const urn of urns) parents.set(urn, parentOfColumn(urn));
  const all = new Set(parents.keys());
  for (const parent of parents.values()) if (parent !== undefined) all.add(parent);
  const listed = [...all];
  const removed = includesSoftDeleted ? new Set<string>() : await findSoftDeleted(store, listed);
  const present = includesMissing ? all : await findExisting(store, listed, { size: PAGE });
  const isAny = (urn: string, parent: string | undefined, of: ReadonlySet<string>): boolean =>
    of.has(urn) || (parent !== undefined && of.has(parent));
  const filter = (isExcluded: (urn: string, parent: string | undefined) => boolean): ReadonlySet<string> =>
    new Set([...parents].flatMap(([urn, parent]) => (isExcluded(urn, parent) ? [urn] : [])));
  return {
    softDeleted: removed.size === 0 ? removed : filter((urn, parent) => isAny(urn, parent, removed)),
    missing: includesMissing ? new Set() : filter((urn, parent) => !isAny(urn, parent, present)),
  };
}

/** Finds the entities among `urns` whose `status` says `removed`. */
export async function findSoftDeleted(
  store: Pick<AspectStore, 'filterSoftDeleted'>,
  urns: readonly string[],
): Promise<ReadonlySet<string>> {
  const removed = new Set<string>();
  for (let at = 0; at < urns.length; at += PAGE) {
    for (const urn of await store.filterSoftDeleted(urns.slice(at, at + PAGE))) removed.add(urn);
  }
  return removed;
}
