import { createHash } from 'node:crypto';
import {
  entityTypeIn,
  parseUrn,
  type EntryProjection,
  type ReferencedEntities,
  type SearchDocument,
  type StoredEntity,
} from '@stratalog/domain';
import type { Steps } from '@stratalog/json';
import { boundWeight, listSearchedTimeseries, type EntityRegistry } from '@stratalog/registry';
import { ANALYSIS_VERSION } from '@stratalog/search-text';
import { weighPopularity, type PopularityStrength } from './popularity';
import { makeTombstone, projectDocument } from './project-document';
import { referenceRules } from './project-references';

/**
 * Projects entities to search documents by a model. A hard-deleted entity gets a tombstone; an entity of a type
 * outside the model gets no document. Another strength of popularity makes other documents.
 */
export function searchProjection(
  registry: EntityRegistry,
  popularity: PopularityStrength = 'off',
): EntryProjection<SearchDocument> {
  const searched = new Map(
    registry.entityTypes.map(({ name, aspects }) => [name, listSearchedTimeseries(aspects.values())]),
  );
  const listTimeseriesAspects = (urn: string): readonly string[] => searched.get(entityTypeIn(urn)) ?? [];
  return {
    mapping: computeMapping(registry, popularity),
    affects: ({ urn, aspectName, isTimeseriesValue }) =>
      isTimeseriesValue !== true || listTimeseriesAspects(urn).includes(aspectName),
    listTimeseriesAspects,
    hasEntry: (entityType, isDeleted) => isDeleted || registry.entityType(entityType) !== undefined,
    references: referenceRules(registry),
    project: (entity, referenced) => projectAnyDocument({ registry, popularity }, entity, referenced),
  };
}

function* projectAnyDocument(
  { registry, popularity }: { readonly registry: EntityRegistry; readonly popularity: PopularityStrength },
  entity: StoredEntity,
  referenced?: ReferencedEntities,
): Steps<SearchDocument | undefined> {
  const parsed = parseUrn(entity.urn);
  if (entity.deleted && 'urn' in parsed) return makeTombstone(parsed.urn.entityType, entity);
  const entityType = 'urn' in parsed ? registry.entityType(parsed.urn.entityType) : undefined;
  if (entityType === undefined) return undefined;
  const document = yield* projectDocument(entityType, entity, referenced);
  const factor = yield* weighPopularity(popularity, entity);
  return factor === 1 ? document : { ...document, weight: boundWeight(document.weight * factor) };
}

/** Changes with the rules of projection that the model does not show. */
const RULES =
  'latest timeseries values, names of entities, versions of the state of the store, structured properties';

function computeMapping({ searchFingerprint }: EntityRegistry, popularity: PopularityStrength): string {
  const strength = popularity === 'off' ? '' : `\npopularity ${popularity}`;
  return createHash('sha256')
    .update(`${searchFingerprint}\n${ANALYSIS_VERSION}${strength}\n${RULES}`)
    .digest('hex');
}
