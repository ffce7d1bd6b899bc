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
  /** Called for an entity whose document could not be projected or written; its former document stays. */
  readonly onUnindexable: (urn: string, cause: unknown) => void;
  /** Interval between comparisons of the number of documents with the store's entities. */
  readonly compareEveryMs: number;
  /** Called with messages for operators about the index. */
  readonly onNotice: (message: string, cause?: unknown) => void;
}

/** Applies the change log to the search index. */
export const indexerStage: Stage<IndexerDeps, never> = {
  name: 'indexer',
  open: ({ registry, searchIndexes, ...deps }) => {
    const subscription = new IndexFollower({
      ...deps,
      reader: 'indexer',
      indexName: 'search index',
      indexes: searchIndexes,
      mapping: computeMapping(registry),
      affects: ({ isTimeseriesValue }) => isTimeseriesValue !== true,
      project: projectDocuments(registry),
      hasEntry: (entityType, isDeleted) => isDeleted || registry.entityType(entityType) !== undefined,
    });
    return {
      consumers: [{ name: 'indexer', subscription, lag: () => indexLag(searchIndexes, deps.store) }],
    };
  },
};

/**
 * Projects entities to documents. A hard-deleted entity gets a tombstone; an entity of a type outside the model gets
 * no document.
 */
export function projectDocuments(
  registry: EntityRegistry,
): (entity: StoredEntity) => Steps<SearchDocument | undefined> {
  return function* (entity) {
    const parsed = parseUrn(entity.urn);
    if (entity.deleted && 'urn' in parsed) return makeTombstone(parsed.urn.entityType, entity);
    const entityType = 'urn' in parsed ? registry.entityType(parsed.urn.entityType) : undefined;
    return entityType === undefined ? undefined : yield* projectDocument(entityType, entity);
  };
}

function computeMapping({ searchFingerprint }: EntityRegistry): string {
  return createHash('sha256').update(`${searchFingerprint}\n${ANALYSIS_VERSION}`).digest('hex');
}
