import { InvalidRequestError, parseUrn } from '@stratalog/domain';
import { requireEntityType } from './require-entity-type';
import type { EntityRegistry, EntityType } from '../model/entity-registry';
import { unknownEntityType } from './unknown-names';

export interface NamedEntity {
  readonly urn: string;
  readonly entityType: EntityType;
  /** Canonical JSON text of the urn's key aspect. */
  readonly keyText: string;
}

/**
 * Returns the entity type with this name, ignoring case.
 *
 * **Errors**: `InvalidRequestError` in the reference's wording.
 */
export function entityTypeNamed(registry: EntityRegistry, name: string): EntityType {
  const entityType = registry.entityType(name);
  if (entityType === undefined) throw new InvalidRequestError(unknownEntityType(registry, name));
  return entityType;
}

/**
 * Returns the entity that a urn names, whether it exists or not.
 *
 * **Errors**: `InvalidRequestError` when the urn is malformed or its type is unknown.
 */
export function entityNamed(registry: EntityRegistry, urn: string): NamedEntity {
  const entity = requireEntityType(registry, urn);
  if (!('fault' in entity)) return { urn, entityType: entity.entityType, keyText: entity.keyText };
  const parsed = parseUrn(urn);
  if ('urn' in parsed && registry.entityType(parsed.urn.entityType) === undefined) {
    throw new InvalidRequestError(unknownEntityType(registry, parsed.urn.entityType));
  }
  throw new InvalidRequestError(`Invalid urn ${urn}: ${entity.fault}`);
}
