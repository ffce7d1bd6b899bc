import { covers, type EntryProjection, type PartitionSequences } from '@stratalog/domain';
import { pause } from '@stratalog/concurrency';
import type { AspectStore, DerivedIndex, EntityCount } from '@stratalog/ports';

/** The result of comparing the number of entries in an index with the number of entities in the store. */
export type Comparison =
  | { readonly kind: 'whole' }
  | { readonly kind: 'lacking'; readonly missing: number; readonly expected: number }
  /** The index holds entries of entities that the store does not have. */
  | { readonly kind: 'surplus'; readonly entries: number; readonly expected: number }
  /** The lag of the index is too large for a comparison. */
  | { readonly kind: 'behind' };

export interface ComparisonDeps extends Pick<EntryProjection<never>, 'hasEntry'> {
  readonly store: AspectStore;
}

/**
 * Time that the index gets to catch up. An index that follows under load lags a little; a larger lag postpones the
 * comparison.
 */
const CATCH_UP_MS = 5_000;
const POLL_DELAY_MS = 50;

/**
 * Compares the number of entries in an index with the number of entities in the store, while both grow.
 *
 * The store never forgets an entity. So an index that has reached a position must hold all entities that the store had
 * before it.
 *
 * **Errors**: `UnavailableError` when the store or the index is unavailable.
 */
export async function compareWithStore(
  { store, hasEntry }: ComparisonDeps,
  index: DerivedIndex<never>,
  signal: AbortSignal,
): Promise<Comparison> {
  const before = await index.count();
  const expected = expectedEntries(await store.countEntities(), hasEntry);
  if (!(await reaches(index, await store.readPartitionSequences(), signal))) return { kind: 'behind' };
  return compareCases({ before, expected, after: await index.count() });
}

export function expectedEntries(
  counts: readonly EntityCount[],
  hasEntry: ComparisonDeps['hasEntry'],
): number {
  return counts
    .filter(({ entityType, isDeleted }) => hasEntry(entityType, isDeleted))
    .reduce((sum, { count }) => sum + count, 0);
}

/** `before` was counted before the entities, `after` once the index had caught up with them. */
export function compareCases({
  before,
  expected,
  after,
}: {
  readonly before: number;
  readonly expected: number;
  readonly after: number;
}): Comparison {
  if (after < expected) return { kind: 'lacking', missing: expected - after, expected };
  if (before > expected) return { kind: 'surplus', entries: before, expected };
  return { kind: 'whole' };
}

async function reaches(
  index: DerivedIndex<never>,
  sequences: PartitionSequences,
  signal: AbortSignal,
): Promise<boolean> {
  const end = performance.now() + CATCH_UP_MS;
  while (!covers(await index.position(), sequences)) {
    if (signal.aborted || performance.now() > end) return false;
    await pause(POLL_DELAY_MS, signal);
  }
  return true;
}
