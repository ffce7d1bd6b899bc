import {
  TimeLimitError,
  UnavailableError,
  type EntryProjection,
  type PartitionSequences,
  type ReferencedEntities,
  type StoredEntity,
} from '@stratalog/domain';
import type { Steps } from '@stratalog/json';
import { inSlices, type BatchSize } from '@stratalog/concurrency';
import type { AspectStore, DerivedIndex, VersionedIndex } from '@stratalog/ports';
import { fillByUrns, scanStore, type BuildOptions, type ScanOptions } from '../build/fill-by-urns';
import { readForEntries } from '../read-for-entries';

export interface IndexingDeps<Entry> extends Pick<
  EntryProjection<Entry>,
  'aspectNames' | 'listTimeseriesAspects' | 'references' | 'project'
> {
  readonly store: AspectStore;
  /** Called for an entity whose entry could not be projected or written. Its former entry stays. */
  readonly onUnindexable: (urn: string, cause: unknown) => void;
  /** Called with the entities of each page, and with the changes that the state includes from which their entries are projected. */
  readonly onRead?: (entities: readonly StoredEntity[], sequences: PartitionSequences) => void;
  /** Number of entities of a write, shared by all writes of an index. */
  readonly writeSize: BatchSize;
}

type WritingDeps<Entry> = Pick<IndexingDeps<Entry>, 'onUnindexable' | 'writeSize'>;

/** Number of characters of aspects after whose entries the checkpoint moves: what a failure repeats is bounded so. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** Runs `work` with dependencies that count: returns the number of distinct entities that could not be indexed. */
export async function countUnindexable<Deps extends Pick<IndexingDeps<never>, 'onUnindexable'>>(
  deps: Deps,
  work: (counting: Deps) => Promise<void>,
): Promise<number> {
  const urns = new Set<string>();
  const onUnindexable = (urn: string, cause: unknown): void => {
    urns.add(urn);
    deps.onUnindexable(urn, cause);
  };
  await work({ ...deps, onUnindexable });
  return urns.size;
}

/** The checkpoint of an index once all entries but those of `left` are up to date. */
export type PositionWithout = (left: readonly string[]) => PartitionSequences;

/**
 * Brings the entries of `urns` up to date with the store and moves the checkpoint to their position.
 *
 * With a position, it ends after some megabytes of aspects, or after the first write while writes are small because one has failed, and returns
 * the urns that are left. Without one, the entries become visible with the next move of the checkpoint. Live indexing, rebuilds
 * and restores all use this function. An entity that cannot be indexed delays no other.
 *
 * **Errors**: `UnavailableError` when the store or the index is unavailable; then the checkpoint has not moved.
 */
export async function indexEntities<Entry extends { readonly urn: string }>(
  deps: IndexingDeps<Entry>,
  index: DerivedIndex<Entry>,
  urns: readonly string[],
  positionWithout?: PositionWithout,
): Promise<readonly string[]> {
  const { writeSize } = deps;
  if (urns.length === 0) await index.write([], positionWithout?.([]));
  let writing: Promise<void> = Promise.resolve();
  let characters = 0;
  let left = urns;
  for (let isOver = false; left.length > 0 && !isOver;) {
    const { items } = writeSize;
    const page = await readEntries(deps, left.slice(0, items));
    left = [...page.rest, ...left.slice(items)];
    characters += page.characters;
    const isEnough = characters >= MAX_CHARACTERS || writeSize.isReduced;
    // Without the first entity the position would not move.
    isOver = positionWithout !== undefined && isEnough && !left.includes(urns[0] ?? '');
    const position = isOver || left.length === 0 ? positionWithout?.(left) : undefined;
    // The next page is projected while this one is being written.
    await writing;
    writing = writeEntries(deps, index, page.entries, position);
    // The await below reports the failure. Until then this handler keeps the rejection from being unhandled.
    writing.catch(() => undefined);
  }
  await writing;
  return left;
}

interface EntriesPage<Entry> {
  readonly entries: readonly NonNullable<Entry>[];
  /** Characters of the aspects that the entries were projected from. */
  readonly characters: number;
  readonly rest: readonly string[];
}

async function readEntries<Entry>(
  deps: IndexingDeps<Entry>,
  urns: readonly string[],
): Promise<EntriesPage<Entry>> {
  const { entities, referenced, sequences, rest } = await readForEntries(deps, urns);
  deps.onRead?.(entities, sequences);
  const characters = entities.reduce((sum, entity) => sum + countCharacters(entity), 0);
  return { entries: await inSlices(toEntries(deps, entities, referenced)), characters, rest };
}

function countCharacters({ aspects }: StoredEntity): number {
  return aspects.reduce((sum, { value }) => sum + value.length, 0);
}

function* toEntries<Entry>(
  deps: IndexingDeps<Entry>,
  entities: readonly StoredEntity[],
  referenced: ReferencedEntities,
): Steps<readonly NonNullable<Entry>[]> {
  const entries: NonNullable<Entry>[] = [];
  for (const entity of entities) {
    try {
      const entry = yield* deps.project(entity, referenced);
      if (entry !== undefined && entry !== null) entries.push(entry);
    } catch (error) {
      deps.onUnindexable(entity.urn, error);
    }
    yield;
  }
  return entries;
}

/** Writes a page of entries, and counts how many entities the index takes at once. */
async function writeEntries<Entry extends { readonly urn: string }>(
  deps: WritingDeps<Entry>,
  index: VersionedIndex<Entry>,
  entries: readonly Entry[],
  position: PartitionSequences | undefined,
): Promise<void> {
  try {
    await writeOrSkip(deps, index, entries, position);
  } catch (error) {
    deps.writeSize.failed(entries.length / 2);
    throw error;
  }
  deps.writeSize.succeeded(entries.length);
}

/**
 * Writes a page of entries. When the index rejects it, each is written alone, and those that fail are reported; so is one that took too long
 * alone again and again.
 */
async function writeOrSkip<Entry extends { readonly urn: string }>(
  deps: WritingDeps<Entry>,
  index: VersionedIndex<Entry>,
  entries: readonly Entry[],
  position: PartitionSequences | undefined,
): Promise<void> {
  try {
    await index.write(entries, position);
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    const [first] = entries;
    if (error instanceof TimeLimitError) {
      if (first === undefined || entries.length > 1 || !deps.writeSize.isCause(first.urn)) throw error;
      deps.onUnindexable(first.urn, error);
    } else for (const entry of entries) await writeAlone(deps, index, entry);
    await index.write([], position);
  }
}

/** Runs after the index rejected a page: writes each entry alone, and skips the ones that fail. */
async function writeAlone<Entry extends { readonly urn: string }>(
  deps: Pick<IndexingDeps<Entry>, 'onUnindexable'>,
  index: VersionedIndex<Entry>,
  entry: Entry,
): Promise<void> {
  try {
    await index.write([entry]);
  } catch (error) {
    if (error instanceof UnavailableError || error instanceof TimeLimitError) throw error;
    deps.onUnindexable(entry.urn, error);
  }
}

/** Fills an empty index, or the rest of an unfinished one, as {@link fillByUrns} does. */
export async function rebuildIndex<Entry extends { readonly urn: string }>(
  deps: IndexingDeps<Entry>,
  index: DerivedIndex<Entry>,
  options: BuildOptions = {},
): Promise<void> {
  await fillByUrns(deps.store, index, {
    ...options,
    pageSize: () => deps.writeSize.items,
    preparePage: async ({ urns }) => {
      const { entries, rest } = await readEntries(deps, urns);
      return async () => {
        await writeEntries(deps, index, entries, undefined);
        // Large entities: together they would take too much memory.
        if (rest.length > 0) await indexEntities(deps, index, rest);
      };
    },
  });
}

/**
 * Writes the entries that an index lacks, until `signal` aborts. The follower may index changes at the same time.
 *
 * **Errors**: `UnavailableError` when the store or the index is unavailable.
 */
export async function repairIndex<Entry extends { readonly urn: string }>(
  deps: IndexingDeps<Entry>,
  index: DerivedIndex<Entry>,
  { signal }: ScanOptions = {},
): Promise<void> {
  await scanStore(deps.store, { signal }, async ({ urns }) => {
    const present = new Set(await index.filterPresent(urns));
    const lacking = urns.filter((urn) => !present.has(urn));
    if (lacking.length > 0) await indexEntities(deps, index, lacking);
  });
  // This write makes entries visible that were written without a position.
  await index.write([], await index.position());
}
