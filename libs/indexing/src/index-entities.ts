import { UnavailableError, type PartitionSequences, type Steps, type StoredEntity } from '@stratalog/model';
import { inSlices, type AspectStore, type DerivedIndex } from '@stratalog/ports';

export interface IndexingDeps<Entry> {
  readonly store: AspectStore;
  /** The aspects that entries are made of; absent: any. Others are not read. */
  readonly aspectNames?: readonly string[];
  /** Pure. `undefined` for an entity that has no place in the index; whatever it throws concerns this entity only. */
  readonly project: (entity: StoredEntity) => Steps<Entry | undefined>;
  /** Told about an entity whose entry could not be made or written; its former entry stays. */
  readonly onUnindexable: (urn: string, cause: unknown) => void;
}

/** Entities are read and written in pages of at most this many; the store cuts a page of large ones further. */
const PAGE = 200;

/**
 * Brings the entries of `urns` to the state of the store and moves the index to `position`; without one they become searchable with
 * the next move. Live indexing, a rebuild and a restore all end here. An entity that cannot be indexed delays no other.
 *
 * **Errors**: `UnavailableError` when store or index is away; the position has not moved then.
 */
export async function indexEntities<Entry extends { readonly urn: string }>(
  parts: IndexingDeps<Entry>,
  index: DerivedIndex<Entry>,
  urns: readonly string[],
  position?: PartitionSequences,
): Promise<void> {
  if (urns.length === 0) return index.write([], position);
  let left = urns;
  let writing: Promise<void> = Promise.resolve();
  do {
    const page = await parts.store.readEntities(left.slice(0, PAGE), parts.aspectNames);
    left = [...page.rest, ...left.slice(PAGE)];
    const entries = await inSlices(toEntries(parts, page.entities));
    // A page is made while the one before it is being written.
    await writing;
    writing = writeEntries(parts, index, entries, left.length === 0 ? position : undefined);
    // Its failure is met at the await; until then somebody must be there to see it.
    writing.catch(() => undefined);
  } while (left.length > 0);
  await writing;
}

function* toEntries<Entry>(
  parts: IndexingDeps<Entry>,
  entities: readonly StoredEntity[],
): Steps<readonly NonNullable<Entry>[]> {
  const entries: NonNullable<Entry>[] = [];
  for (const entity of entities) {
    try {
      const entry = yield* parts.project(entity);
      if (entry !== undefined && entry !== null) entries.push(entry);
    } catch (error) {
      parts.onUnindexable(entity.urn, error);
    }
    yield;
  }
  return entries;
}

async function writeEntries<Entry extends { readonly urn: string }>(
  parts: IndexingDeps<Entry>,
  index: DerivedIndex<Entry>,
  entries: readonly Entry[],
  position: PartitionSequences | undefined,
): Promise<void> {
  try {
    await index.write(entries, position);
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    for (const entry of entries) await writeAlone(parts, index, entry);
    await index.write([], position);
  }
}

/** After a page was rejected: the entry that is to blame is left out, the others get in. */
async function writeAlone<Entry extends { readonly urn: string }>(
  parts: IndexingDeps<Entry>,
  index: DerivedIndex<Entry>,
  entry: Entry,
): Promise<void> {
  try {
    await index.write([entry]);
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    parts.onUnindexable(entry.urn, error);
  }
}

export interface ScanOptions {
  readonly signal?: AbortSignal;
  /** Told after each page how many entities were looked at. */
  readonly onPage?: (done: number) => Promise<void>;
}

/**
 * Fills an index from nothing, until `signal` aborts: the position is taken first, so that whatever changes during the scan is
 * indexed again from the change log.
 */
export async function rebuildIndex<Entry extends { readonly urn: string }>(
  parts: IndexingDeps<Entry>,
  index: DerivedIndex<Entry>,
  options: ScanOptions = {},
): Promise<void> {
  const head = await parts.store.head();
  const isDone = await scanStore(parts.store, options, (urns) => indexEntities(parts, index, urns));
  if (isDone) await index.write([], head);
}

/**
 * Writes the entries that an index lacks, until `signal` aborts. Changes may be indexed from the change log meanwhile.
 *
 * **Errors**: `UnavailableError` when store or index is away.
 */
export async function repairIndex<Entry extends { readonly urn: string }>(
  parts: IndexingDeps<Entry>,
  index: DerivedIndex<Entry>,
  options: ScanOptions = {},
): Promise<void> {
  await scanStore(parts.store, options, async (urns) => {
    const present = new Set(await index.having(urns));
    const lacking = urns.filter((urn) => !present.has(urn));
    if (lacking.length > 0) await indexEntities(parts, index, lacking);
  });
  // Entries that were written without a position are found from here on.
  await index.write([], await index.position());
}

/** Hands over the urns of all entities, page by page. Answers false when it was aborted on the way. */
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
