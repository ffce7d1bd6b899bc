import type { StoredEntity } from '@stratalog/domain';
import type { AspectStore } from '@stratalog/ports';

/** Number of urns that one read names unless the caller says otherwise. */
const PAGE = 200;

interface PageOptions {
  /** Aspects to read; absent: all. */
  readonly aspectNames?: readonly string[] | undefined;
  /** Number of urns that one read names at most; absent: 200. */
  readonly size?: number | undefined;
}

interface ReadPage {
  readonly entities: readonly StoredEntity[];
  /** True: no page follows. */
  readonly isLast: boolean;
}

/**
 * Reads entities with their latest aspects page by page. A page has fewer entities than urns where they are large or were
 * never written.
 *
 * **Errors**: `UnavailableError` when the store is unavailable.
 */
export async function* readEntityPages(
  store: Pick<AspectStore, 'readEntities'>,
  urns: readonly string[],
  { aspectNames, size = PAGE }: PageOptions = {},
): AsyncGenerator<ReadPage, void> {
  let left = urns;
  while (left.length > 0) {
    const page = await store.readEntities(left.slice(0, size), aspectNames);
    left = [...page.rest, ...left.slice(size)];
    yield { entities: page.entities, isLast: left.length === 0 };
  }
}

/** Number of urns in one list of all that begin alike. */
const URNS = 1_000;

/**
 * Reads the entities whose urns begin with a prefix, in byte order, with some of their latest aspects. Deleted entities are left out. An entity that
 * is deleted meanwhile may hide another one.
 *
 * **Errors**: `UnavailableError` when the store is unavailable.
 */
export async function* readEntitiesWith(
  store: Pick<AspectStore, 'urnsWith' | 'readEntities'>,
  prefix: string,
  aspectNames: readonly string[],
): AsyncGenerator<StoredEntity, void> {
  for (let start = 0, total = 1; start < total; start += URNS) {
    const page = await store.urnsWith({ prefix, start, count: URNS });
    total = page.total;
    for await (const { entities } of readEntityPages(store, page.urns, { aspectNames })) yield* entities;
  }
}

/**
 * Returns those of `urns` whose entity exists: written, and not hard-deleted. A soft-deleted entity exists.
 *
 * **Errors**: `UnavailableError` when the store is unavailable.
 */
export async function findExisting(
  store: Pick<AspectStore, 'readEntities'>,
  urns: readonly string[],
  { size }: Pick<PageOptions, 'size'> = {},
): Promise<ReadonlySet<string>> {
  const existing = new Set<string>();
  for await (const { entities } of readEntityPages(store, urns, { aspectNames: [], size })) {
    for (const { urn, deleted } of entities) if (!deleted) existing.add(urn);
  }
  return existing;
}
