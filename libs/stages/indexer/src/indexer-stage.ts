import { createHash } from 'node:crypto';
import { IndexFollower, indexLag } from '@stratalog/indexing';
import { parseUrn, type SearchDocument, type Steps, type StoredEntity } from '@stratalog/model';
import type { AspectStore, ChangeLog, SearchIndexes, Stage } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import { ANALYSIS_VERSION } from '@stratalog/search-text';
import { documentOf, tombstoneOf } from './document-of';

export interface IndexerParts {
  readonly store: AspectStore;
  readonly registry: EntityRegistry;
  readonly changes: ChangeLog;
  readonly searchIndexes: SearchIndexes;
  /** Told about an entity whose document could not be made or written; its former document stays. */
  readonly onUnindexable: (urn: string, cause: unknown) => void;
  /** How often the number of documents is compared with the store's entities. */
  readonly compareEveryMs: number;
  /** Told what an operator should know of the index. */
  readonly onNotice: (message: string, cause?: unknown) => void;
}

/** Follows the change log with the search index. */
export const indexerStage: Stage<IndexerParts, never> = {
  name: 'indexer',
  open: ({ registry, searchIndexes, ...parts }) => {
    const consumption = new IndexFollower({
      ...parts,
      reader: 'indexer',
      indexName: 'search index',
      indexes: searchIndexes,
      mapping: mappingOf(registry),
      concerns: ({ isPoint }) => isPoint !== true,
      entryOf: documentsBy(registry),
      hasEntry: (entityType, isDeleted) => isDeleted || registry.entityType(entityType) !== undefined,
    });
    return { consumers: [{ name: 'indexer', consumption, lag: () => indexLag(searchIndexes, parts.store) }] };
  },
};

/** Entities of a type that the model no longer has cannot be searched for and get no document; deleted ones get a tombstone. */
export function documentsBy(
  registry: EntityRegistry,
): (entity: StoredEntity) => Steps<SearchDocument | undefined> {
  return function* (entity) {
    const parsed = parseUrn(entity.urn);
    if (entity.deleted && 'urn' in parsed) return tombstoneOf(parsed.urn.entityType, entity);
    const entityType = 'urn' in parsed ? registry.entityType(parsed.urn.entityType) : undefined;
    return entityType === undefined ? undefined : yield* documentOf(entityType, entity);
  };
}

function mappingOf({ searchFingerprint }: EntityRegistry): string {
  return createHash('sha256').update(`${searchFingerprint}\n${ANALYSIS_VERSION}`).digest('hex');
}
