import type { AspectStore, DocumentFingerprint, SearchIndex, SearchIndexes } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import { rebuildIndex } from '@stratalog/stages-indexer';
import { Violation } from './violation';

const PAGE = 1_000;

export interface IndexParts {
  readonly store: AspectStore;
  readonly indexes: SearchIndexes;
  readonly registry: EntityRegistry;
}

/**
 * Builds a second index from nothing and holds the live one against it, document by document.
 *
 * **Errors**: `Violation`. Answers how many documents were compared.
 */
export async function checkIndex({ store, indexes, registry }: IndexParts): Promise<number> {
  const live = await indexes.live();
  if (live === undefined) throw new Violation('index', 'no index is live');
  await checkPosition(store, live);
  // An unfinished index of the same identity would be continued; this one is to start from nothing.
  const unfinished = await indexes.create(live.identity);
  await unfinished.drop();
  const fresh = await indexes.create(live.identity);
  try {
    const onUnindexable = (urn: string, cause: unknown): never => {
      throw new Violation('index', `${urn} cannot be indexed: ${String(cause)}`);
    };
    await rebuildIndex({ store, registry, onUnindexable }, fresh);
    await checkPosition(store, fresh);
    return await compareDocuments(live, fresh);
  } finally {
    await fresh.drop();
  }
}

async function checkPosition(store: AspectStore, index: SearchIndex): Promise<void> {
  const [head, position] = [await store.head(), await index.position()];
  const differing = [...new Set([...head.keys(), ...position.keys()])].filter(
    (partition) => head.get(partition) !== position.get(partition),
  );
  for (const partition of differing) {
    throw new Violation(
      'index',
      `${index.name} stands at ${String(position.get(partition))} in partition ${partition}, the store at ` +
        String(head.get(partition)),
    );
  }
}

async function compareDocuments(live: SearchIndex, fresh: SearchIndex): Promise<number> {
  let after: string | undefined;
  let documents = 0;
  for (;;) {
    const pages = await Promise.all([
      live.fingerprintsAfter(after, PAGE),
      fresh.fingerprintsAfter(after, PAGE),
    ]);
    const difference = firstDifference(...pages);
    if (difference !== undefined) {
      throw new Violation('index', `the live index differs from one built from nothing: ${difference}`);
    }
    documents += pages[0].length;
    after = pages[0].at(-1)?.urn;
    if (after === undefined) return documents;
  }
}

function firstDifference(
  live: readonly DocumentFingerprint[],
  fresh: readonly DocumentFingerprint[],
): string | undefined {
  for (let at = 0; at < Math.max(live.length, fresh.length); at++) {
    const [own, other] = [live[at], fresh[at]].map((found) =>
      found === undefined ? 'no document' : `${found.urn} seq ${found.seq} ${found.fingerprint}`,
    );
    if (own !== other) return `${String(own)} instead of ${String(other)}`;
  }
  return undefined;
}
