import type { AspectType, EntityRegistry, RelationshipPath } from '@stratalog/registry';

/** A relationship that ends at an entity type. */
export interface IncomingRelationship {
  readonly from: string;
  readonly aspect: string;
  readonly relationship: RelationshipPath;
}

/** Returns the relationships by which other entity types point to this one, each with its source type. */
export function incomingRelationships(
  registry: EntityRegistry,
  entityName: string,
): readonly IncomingRelationship[] {
  return registry.entityTypes.flatMap((type) =>
    [...type.aspects.values()].flatMap((aspect) =>
      aspect.relationships
        .filter(({ entityTypes }) => entityTypes.includes(entityName))
        .map((relationship) => ({ from: type.name, aspect: aspect.name, relationship })),
    ),
  );
}

/** Returns the names of the entity types that have the aspect. */
export function entitiesWith(registry: EntityRegistry, { name }: AspectType): readonly string[] {
  return registry.entityTypes.filter(({ aspects }) => aspects.has(name)).map((type) => type.name);
}
