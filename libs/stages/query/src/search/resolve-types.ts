import { entityTypeNamed, type EntityRegistry, type EntityType } from '@stratalog/registry';

interface ModelDeps {
  readonly registry: EntityRegistry;
}

/** **Errors**: `InvalidRequestError` for an unknown entity type. */
export function resolveType({ registry }: ModelDeps, name: string): EntityType {
  return entityTypeNamed(registry, name);
}

/**
 * Resolves the entity types of a query on several; none stands for all of the model.
 *
 * **Errors**: `InvalidRequestError` for an unknown entity type.
 */
export function resolveTypes({ registry }: ModelDeps, names: readonly string[] = []): readonly EntityType[] {
  if (names.length === 0) return registry.entityTypes;
  return [...new Set(names.map((name) => entityTypeNamed(registry, name)))];
}
