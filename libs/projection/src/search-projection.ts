import { createHash } from 'node:crypto';
import {
  parseUrn,
  type EntryProjection,
  type SearchDocument,
  type Steps,
  type StoredEntity,
} from '@stratalog/model';
import type { EntityRegistry } from '@stratalog/registry';
import { ANALYSIS_VERSION } from '@stratalog/search-text';
import { makeTombstone, projectDocument } from './project-document';

/**
 * Projects entities to search documents by a model. A hard-deleted entity gets a tombstone; an entity of a type
 * outside the model gets no document.
 */
export function searchProjection(registry: EntityRegistry): EntryProjection<SearchDocument> {
  return {
    mapping: computeMapping(registry),
    affects: ({ isTimeseriesValue }) => isTimeseriesValue !== true,
    hasEntry: (entityType, isDeleted) => isDeleted || registry.entityType(entityType) !== undefined,
    project: (entity) => projectAnyDocument(registry, entity),
  };
}

function* projectAnyDocument(
  registry: EntityRegistry,
  entity: StoredEntity,
): Steps<SearchDocument | undefined> {
  const parsed = parseUrn(entity.urn);
  if (entity.deleted && 'urn' in parsed) return makeTombstone(parsed.urn.entityType, entity);
  const entityType = 'urn' in parsed ? registry.entityType(parsed.urn.entityType) : undefined;
  return entityType === undefined ? undefined : yield* projectDocument(entityType, entity);
}

function computeMapping({ searchFingerprint }: EntityRegistry): string {
  return createHash('sha256').update(`${searchFingerprint}\n${ANALYSIS_VERSION}`).digest('hex');
}
