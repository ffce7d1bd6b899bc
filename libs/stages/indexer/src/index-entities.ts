import {
  UnavailableError,
  parseUrn,
  type PartitionOffsets,
  type SearchDocument,
  type StoredEntity,
} from '@stratalog/model';
import type { AspectStore, SearchIndex } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import { documentOf } from './document-of';

export interface IndexingParts {
  readonly store: AspectStore;
  readonly registry: EntityRegistry;
  /** Told about an entity whose document could not be made or written; its former document stays. */
  readonly onUnindexable: (urn: string, cause: unknown) => void;
}

/** Entities are read and written in pages of at most this many; the store cuts a page of large ones further. */
const PAGE = 200;

/**
 * Brings the documents of `urns` to the state of the store and moves the index to `position`. Live indexing, a rebuild and a
 * restore all end here. An entity that cannot be indexed delays no other.
 *
 * **Errors**: `UnavailableError` when store or index is away; the position has not moved then.
 */
export async function indexEntities(
  parts: IndexingParts,
  index: SearchIndex,
  urns: readonly string[],
  position: PartitionOffsets,
): Promise<void> {
  let left = urns;
  let writing: Promise<void> = Promise.resolve();
  do {
    const page = await parts.store.readEntities(left.slice(0, PAGE));
    left = [...page.rest, ...left.slice(PAGE)];
    const documents = documentsOf(parts, page.entities);
    // A page is made while the one before it is being written.
    await writing;
    writing = writeDocuments(parts, index, documents, left.length === 0 ? position : new Map());
    // Its failure is met at the await; until then somebody must be there to see it.
    writing.catch(() => undefined);
  } while (left.length > 0);
  await writing;
}

/** Entities of a type that the model no longer has cannot be searched for and get no document. */
function documentsOf(parts: IndexingParts, entities: readonly StoredEntity[]): readonly SearchDocument[] {
  return entities.flatMap((entity) => {
    const parsed = parseUrn(entity.urn);
    const entityType = 'urn' in parsed ? parts.registry.entityType(parsed.urn.entityType) : undefined;
    if (entityType === undefined) return [];
    try {
      return [documentOf(entityType, entity)];
    } catch (error) {
      parts.onUnindexable(entity.urn, error);
      return [];
    }
  });
}

async function writeDocuments(
  parts: IndexingParts,
  index: SearchIndex,
  documents: readonly SearchDocument[],
  position: PartitionOffsets,
): Promise<void> {
  try {
    await index.write(documents, position);
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    for (const document of documents) await writeAlone(parts, index, document);
    await index.write([], position);
  }
}

/** After a page was refused: the document that is to blame is left out, the others get in. */
async function writeAlone(parts: IndexingParts, index: SearchIndex, document: SearchDocument): Promise<void> {
  try {
    await index.write([document], new Map());
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    parts.onUnindexable(document.urn, error);
  }
}

/**
 * Fills an index from nothing, until `signal` aborts: the position is taken first, so that whatever changes during the scan is
 * indexed again from the change log.
 */
export async function rebuildIndex(
  parts: IndexingParts,
  index: SearchIndex,
  signal?: AbortSignal,
): Promise<void> {
  const head = await parts.store.head();
  let after: string | undefined;
  while (signal?.aborted !== true) {
    const urns = await parts.store.urnsAfter(after, PAGE);
    if (urns.length === 0) {
      await index.write([], head);
      return;
    }
    await indexEntities(parts, index, urns, new Map());
    after = urns.at(-1);
  }
}
