import {
  UnavailableError,
  type EntryProjection,
  type PartitionSequences,
  type Steps,
  type StoredEntity,
} from '@stratalog/model';
import { inSlices, type AspectStore, type DerivedIndex } from '@stratalog/ports';

export interface IndexingDeps<Entry> extends Pick<EntryProjection<Entry>, 'aspectNames' | 'project'> {
  readonly store: AspectStore;
  /** Called for an entity whose entry could not be projected or written. Its former entry stays. */
  readonly onUnindexable: (urn: string, cause: unknown) => void;
}

/** Maximum number of entities per page of reads and writes. The store cuts a page of large entities further. */
const PAGE = 200;

/**
 * Brings the entries of `urns` up to date with the store and moves the checkpoint to `position`.
 *
 * Without `position`, the entries become visible with the next move of the checkpoint. Live indexing, rebuilds and
 * restores all use this function. An entity that cannot be indexed delays no other.
 *
 * **Errors**: `UnavailableError` when the store or the index is unavailable; then the checkpoint has not moved.
 */
export async function indexEntities<Entry extends { readonly urn: string }>(
  deps: IndexingDeps<Entry>,
  index: DerivedIndex<Entry>,
  urns: readonly string[],
  position?: PartitionSequences,
): Promise<void> {
  if (urns.length === 0) return index.write([], position);
  let left = urns;
  let writing: Promise<void> = Promise.resolve();
  do {
    const page = await deps.store.readEntities(left.slice(0, PAGE), deps.aspectNames);
    left = [...page.rest, ...left.slice(PAGE)];
    const entries = await inSlices(toEntries(deps, page.entities));
    // The next page is projected while this one is being written.
    await writing;
    writing = writeEntries(deps, index, entries, left.length === 0 ? position : undefined);
    // The await below reports the failure. Until then this handler keeps the rejection from being unhandled.
    writing.catch(() => undefined);
  } while (left.length > 0);
  await writing;
}

function* toEntries<Entry>(
  deps: IndexingDeps<Entry>,
  entities: readonly StoredEntity[],
): Steps<readonly NonNullable<Entry>[]> {
  const entries: NonNullable<Entry>[] = [];
  for (const entity of entities) {
    try {
      const entry = yield* deps.project(entity);
      if (entry !== undefined && entry !== null) entries.push(entry);
    } catch (error) {
      deps.onUnindexable(entity.urn, error);
    }
    yield;
  }
  return entries;
}

async function writeEntries<Entry extends { readonly urn: string }>(
  deps: IndexingDeps<Entry>,
  index: DerivedIndex<Entry>,
  entries: readonly Entry[],
  position: PartitionSequences | undefined,
): Promise<void> {
  try {
    await index.write(entries, position);
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    for (const entry of entries) await writeAlone(deps, index, entry);
    await index.write([], position);
  }
}

/** Runs after the index rejected a page: writes each entry alone, and skips the ones that fail. */
async function writeAlone<Entry extends { readonly urn: string }>(
  deps: IndexingDeps<Entry>,
  index: DerivedIndex<Entry>,
  entry: Entry,
): Promise<void> {
  try {
    await index.write([entry]);
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    deps.onUnindexable(entry.urn, error);
  }
}

export interface ScanOptions {
  readonly signal?: AbortSignal;
  /** Called after each page with the number of entities scanned so far. */
  readonly onPage?: (done: number) => Promise<void>;
}

/**
 * Fills an empty index, until `signal` aborts.
 *
 * It reads the store's head first. The follower then indexes every change during the scan again from the change log.
 */
export async function rebuildIndex<Entry extends { readonly urn: string }>(
  deps: IndexingDeps<Entry>,
  index: DerivedIndex<Entry>,
  options: ScanOptions = {},
): Promise<void> {
  const head = await deps.store.head();
  const isDone = await scanStore(deps.store, options, (urns) => indexEntities(deps, index, urns));
  if (isDone) await index.write([], head);
}

/**
 * Writes the entries that an index lacks, until `signal` aborts. The follower may index changes at the same time.
 *
 * **Errors**: `UnavailableError` when the store or the index is unavailable.
 */
export async function repairIndex<Entry extends { readonly urn: string }>(
  deps: IndexingDeps<Entry>,
  index: DerivedIndex<Entry>,
  options: ScanOptions = {},
): Promise<void> {
  await scanStore(deps.store, options, async (urns) => {
    const present = new Set(await index.filterPresent(urns));
    const lacking = urns.filter((urn) => !present.has(urn));
    if (lacking.length > 0) await indexEntities(deps, index, lacking);
  });
  // This write makes entries visible that were written without a position.
  await index.write([], await index.position());
}

/** Passes the urns of all entities to `work`, page by page. Returns false when `signal` aborted the scan. */
async function scanStore(
  store: AspectStore,
  { signal, onPage }: ScanOptions,
  work: (urns: readonly string[]) => Promise<void>,
): Promise<boolean> {
  let after: string | undefined;
  let done = 0;
  while (signal?.aborted !== true) {
    const urns = await store.urnsAfter(after, PAGE);
    if (urns.length === 0) return true;
    await work(urns);
    after = urns.at(-1);
    done += urns.length;
    await onPage?.(done);
  }
  return false;
}
