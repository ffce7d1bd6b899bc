import { rebuildIndex, type IndexingDeps } from '@stratalog/indexing';
import { BatchSize } from '@stratalog/concurrency';
import type { AspectStore, DerivedIndex, EntryFingerprint, IndexVersions } from '@stratalog/ports';
import { Violation } from '../ledger/violation';

const PAGE = 1_000;

export interface IndexDeps<Entry, Index extends DerivedIndex<Entry>> extends Pick<
  IndexingDeps<Entry>,
  'store' | 'references' | 'listTimeseriesAspects' | 'project'
> {
  /** Names the check in a violation. */
  readonly check: 'index' | 'graph';
  readonly indexes: IndexVersions<Index>;
}

/**
 * Builds a second index from nothing and compares the live one with it, entry by entry.
 *
 * **Errors**: `Violation`. Returns the number of compared entries.
 */
export async function checkIndex<Entry extends { readonly urn: string }, Index extends DerivedIndex<Entry>>({
  check,
  indexes,
  ...deps
}: IndexDeps<Entry, Index>): Promise<number> {
  const live = await indexes.live();
  if (live === undefined) throw new Violation(check, 'no index is live');
  await checkPosition(check, deps.store, live);
  // An unfinished index of the same identity would be continued; this one must start from nothing.
  const unfinished = await indexes.create(live.identity);
  await indexes.drop(unfinished);
  const fresh = await indexes.create(live.identity);
  try {
    const onUnindexable = (urn: string, cause: unknown): never => {
      throw new Violation(check, `${urn} cannot be indexed: ${String(cause)}`);
    };
    await rebuildIndex({ ...deps, onUnindexable, writeSize: new BatchSize(200) }, fresh);
    await checkPosition(check, deps.store, fresh);
    return await compareEntries(check, live, fresh);
  } finally {
    await indexes.drop(fresh);
  }
}

type AnyIndex = DerivedIndex<never>;

async function checkPosition(check: string, store: AspectStore, index: AnyIndex): Promise<void> {
  const [sequences, position] = [await store.readPartitionSequences(), await index.position()];
  const differing = [...new Set([...sequences.keys(), ...position.keys()])].filter(
    (partition) => sequences.get(partition) !== position.get(partition),
  );
  for (const partition of differing) {
    throw new Violation(
      check,
      `${index.name} stands at ${String(position.get(partition))} in partition ${partition}, the store at ` +
        String(sequences.get(partition)),
    );
  }
}

async function compareEntries(check: string, live: AnyIndex, fresh: AnyIndex): Promise<number> {
  let after: string | undefined;
  let entries = 0;
  for (;;) {
    const pages = await Promise.all([
      live.fingerprintsAfter(after, PAGE),
      fresh.fingerprintsAfter(after, PAGE),
    ]);
    const difference = firstDifference(...pages);
    if (difference !== undefined) {
      throw new Violation(check, `the live index differs from one built from nothing: ${difference}`);
    }
    entries += pages[0].length;
    after = pages[0].at(-1)?.urn;
    if (after === undefined) return entries;
  }
}

function firstDifference(
  live: readonly EntryFingerprint[],
  fresh: readonly EntryFingerprint[],
): string | undefined {
  for (let at = 0; at < Math.max(live.length, fresh.length); at++) {
    const [own, other] = [live[at], fresh[at]].map((found) =>
      found === undefined ? 'no entry' : `${found.urn} ${found.fingerprint}`,
    );
    if (own !== other) return `${String(own)} instead of ${String(other)}`;
  }
  return undefined;
}
