import { parseUrn, type PartitionOffsets, type SearchDocument, type StoredEntity } from '@stratalog/model';
import type { AspectStore, SearchIndex } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import { documentOf } from './document-of';

export interface IndexingParts {
  readonly store: AspectStore;
  readonly registry: EntityRegistry;
}

/** Entities are read and written in pages of this many, so that a page of large ones stays within a few megabytes. */
const PAGE = 200;

/**
 * Brings the documents of `urns` to the state of the store and moves the index to `position`. Live indexing, a rebuild and a
 * restore all end here.
 */
export async function indexEntities(
  { store, registry }: IndexingParts,
  index: SearchIndex,
  urns: readonly string[],
  position: PartitionOffsets,
): Promise<void> {
  for (let start = 0; start < urns.length; start += PAGE) {
    const entities = await store.readEntities(urns.slice(start, start + PAGE));
    const isLast = start + PAGE >= urns.length;
    await index.write(documentsOf(registry, entities), isLast ? position : new Map());
  }
  if (urns.length === 0) await index.write([], position);
}

/** Entities of a type that the model no longer has cannot be searched for and get no document. */
function documentsOf(registry: EntityRegistry, entities: readonly StoredEntity[]): readonly SearchDocument[] {
  return entities.flatMap((entity) => {
    const parsed = parseUrn(entity.urn);
    const entityType = 'urn' in parsed ? registry.entityType(parsed.urn.entityType) : undefined;
    return entityType === undefined ? [] : [documentOf(entityType, entity)];
  });
}

/**
 * Fills an index from nothing: the position is taken first, so that whatever changes during the scan is indexed again from
 * the change log.
 */
export async function rebuildIndex(parts: IndexingParts, index: SearchIndex): Promise<void> {
  const head = await parts.store.head();
  let after: string | undefined;
  for (;;) {
    const urns = await parts.store.urnsAfter(after, PAGE);
    if (urns.length === 0) break;
    await indexEntities(parts, index, urns, new Map());
    after = urns.at(-1);
  }
  await index.write([], head);
}
