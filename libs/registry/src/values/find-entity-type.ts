import { entityTypeIn } from '@stratalog/domain';
import type { EntityRegistry, EntityType } from '../model/entity-registry';

/** Finds the entity type that a urn names; `undefined` when the urn is malformed or the model lacks the type. */
export function findEntityType(registry: EntityRegistry, urn: string): EntityType | undefined {
  return registry.entityType(entityTypeIn(urn));
}

/** Lists the names of all relationships of the model, each once. */
export function listRelationshipNames({ aspects }: EntityRegistry): readonly string[] {
  return [...new Set(aspects.flatMap(({ relationships }) => relationships.map(({ name }) => name)))];
}
