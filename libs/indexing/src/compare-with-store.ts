import { covers, type PartitionSequences } from '@stratalog/model';
import { pause, type AspectStore, type DerivedIndex, type EntityCount } from '@stratalog/ports';

/** What the number of an index's entries says of it. */
export type Comparison =
  | { readonly kind: 'whole' }
  | { readonly kind: 'lacking'; readonly missing: number; readonly expected: number }
  /** It holds entries of entities that the store does not have. */
  | { readonly kind: 'surplus'; readonly entries: number; readonly expected: number }
  /** The index is too far behind to be compared. */
  | { readonly kind: 'behind' };

export interface ComparedParts {
  readonly store: AspectStore;
  /** Whether an entity of this type has an entry. */
  readonly hasEntry: (entityType: string, isDeleted: boolean) => boolean;
}

/** An index that follows under load is a moment behind; one that is further is filled before it is compared. */
const CATCH_UP_MS = 5_000;
const LOOK_DELAY_MS = 50;

/**
 * Compares how many entries an index has with how many entities the store has, while both grow: entities are never forgotten, and what the
 * store had before a position must be in an index that has reached it.
 *
 * **Errors**: `UnavailableError` when store or index is away.
 */
export async function compareWithStore(
  { store, hasEntry }: ComparedParts,
  index: DerivedIndex<never>,
  signal: AbortSignal,
): Promise<Comparison> {
  const before = await index.count();
  const expected = expectedEntries(await store.countEntities(), hasEntry);
  if (!(await reaches(index, await store.head(), signal))) return { kind: 'behind' };
  return compareCases({ before, expected, after: await index.count() });
}

export function expectedEntries(counts: readonly EntityCount[], hasEntry: ComparedParts['hasEntry']): number {
  return counts
    .filter(({ entityType, isDeleted }) => hasEntry(entityType, isDeleted))
    .reduce((sum, { count }) => sum + count, 0);
}

/** `before` was counted before the entities were, `after` when the index had reached them. */
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
  head: PartitionSequences,
  signal: AbortSignal,
): Promise<boolean> {
  const end = performance.now() + CATCH_UP_MS;
  while (!covers(await index.position(), head)) {
    if (signal.aborted || performance.now() > end) return false;
    await pause(LOOK_DELAY_MS, signal);
  }
  return true;
}
