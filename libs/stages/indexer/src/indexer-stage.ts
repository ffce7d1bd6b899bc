import { createHash } from 'node:crypto';
import { IndexFollower, indexLag } from '@stratalog/indexing';
import { parseUrn, type SearchDocument, type Steps, type StoredEntity } from '@stratalog/model';
import type { AspectStore, ChangeLog, SearchIndexVersions, Stage } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import { ANALYSIS_VERSION } from '@stratalog/search-text';
import { projectDocument, makeTombstone } from './project-document';

export interface IndexerDeps {
  readonly store: AspectStore;
  readonly registry: EntityRegistry;
  readonly changes: ChangeLog;
  readonly searchIndexes: SearchIndexVersions;
  /** Told about an entity whose document could not be made or written; its former document stays. */
  readonly onUnindexable: (urn: string, cause: unknown) => void;
  /** How often the number of documents is compared with the store's entities. */
  readonly compareEveryMs: number;
  /** Told what an operator should know of the index. */
  readonly onNotice: (message: string, cause?: unknown) => void;
}

/** Follows the change log with the search index. */
export const indexerStage: Stage<IndexerDeps, never> = {
  name: 'indexer',
  open: ({ registry, searchIndexes, ...parts }) => {
    const subscription = new IndexFollower({
      ...parts,
      reader: 'indexer',
      indexName: 'search index',
      indexes: searchIndexes,
      mapping: mappingOf(registry),
      affects: ({ isTimeseriesValue }) => isTimeseriesValue !== true,
      project: documentsBy(registry),
      hasEntry: (entityType, isDeleted) => isDeleted || registry.entityType(entityType) !== undefined,
    });
    return {
      consumers: [{ name: 'indexer', subscription, lag: () => indexLag(searchIndexes, parts.store) }],
    };
  },
};

/** Entities of a type that the model no longer has cannot be searched for and get no document; deleted ones get a tombstone. */
export function documentsBy(
  registry: EntityRegistry,
): (entity: StoredEntity) => Steps<SearchDocument | undefined> {
  return function* (entity) {
    const parsed = parseUrn(entity.urn);
    if (entity.deleted && 'urn' in parsed) return makeTombstone(parsed.urn.entityType, entity);
    const entityType = 'urn' in parsed ? registry.entityType(parsed.urn.entityType) : undefined;
    return entityType === undefined ? undefined : yield* projectDocument(entityType, entity);
  };
}

function mappingOf({ searchFingerprint }: EntityRegistry): string {
  return createHash('sha256').update(`${searchFingerprint}\n${ANALYSIS_VERSION}`).digest('hex');
}
