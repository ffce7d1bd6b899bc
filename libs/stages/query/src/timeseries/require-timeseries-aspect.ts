import { InvalidRequestError } from '@stratalog/domain';
import {
  entityNamed,
  entityTypeNamed,
  unknownAspect,
  type AspectType,
  type EntityRegistry,
  type EntityType,
} from '@stratalog/registry';

export interface TimeseriesAspect {
  readonly entityType: EntityType;
  readonly aspect: AspectType;
}

/**
 * Resolves a timeseries aspect of an entity type.
 *
 * **Errors**: `InvalidRequestError` for an unknown type, an aspect outside the type, and a versioned aspect.
 */
export function requireAspectOfType(
  registry: EntityRegistry,
  { entity, aspect: name }: { readonly entity: string; readonly aspect: string },
): TimeseriesAspect {
  const entityType = entityTypeNamed(registry, entity);
  const aspect = entityType.aspects.get(name);
  if (aspect === undefined) {
    throw new InvalidRequestError(unknownAspect(entityType, name));
  }
  if (aspect.kind !== 'timeseries') {
    throw new InvalidRequestError(
      `Aspect ${name} of entity ${entityType.name} is not a timeseries aspect; read it by GET /aspects or /entitiesV2`,
    );
  }
  return { entityType, aspect };
}

/**
 * Resolves a timeseries aspect of one entity.
 *
 * **Errors**: also `InvalidRequestError` for a urn that is malformed or of another type.
 */
export function requireTimeseriesAspect(
  registry: EntityRegistry,
  { urn, entity, aspect }: { readonly urn: string; readonly entity: string; readonly aspect: string },
): { readonly urn: string; readonly aspect: AspectType; readonly entityName: string } {
  const entityType = entityTypeNamed(registry, entity);
  const named = entityNamed(registry, urn);
  if (named.entityType !== entityType) {
    throw new InvalidRequestError(
      `The urn ${urn} is of the entity type ${named.entityType.name}, not of ${entityType.name}`,
    );
  }
  return {
    urn,
    aspect: requireAspectOfType(registry, { entity, aspect }).aspect,
    entityName: entityType.name,
  };
}
