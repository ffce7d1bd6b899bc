import type { StoredEntity } from '@stratalog/domain';
import type { EntityType } from '@stratalog/registry';

/**
 * Returns the version of an entity's key aspect, which must be among the aspects that were read; 0 without one. It identifies the
 * life of the entity: a hard deletion ends it, and one that is created again has a later version.
 */
export function readKeyVersion(
  { keyAspect }: Pick<EntityType, 'keyAspect'>,
  { aspects }: Pick<StoredEntity, 'aspects'>,
): number {
  return aspects.find(({ name }) => name === keyAspect.name)?.version ?? 0;
}
