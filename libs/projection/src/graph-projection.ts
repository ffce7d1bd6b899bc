import type { EntityEdges, EntryProjection } from '@stratalog/domain';
import type { EntityRegistry } from '@stratalog/registry';
import { affectsEdges, findProjectingAspects, projectEdges } from './project-edges';

/** Projects entities to their edges by a model. A deleted entity keeps an entry without edges. */
export function graphProjection(registry: EntityRegistry): EntryProjection<EntityEdges> {
  return {
    mapping: registry.graphFingerprint,
    affects: affectsEdges(registry),
    hasEntry: (entityType) => registry.entityType(entityType) !== undefined,
    aspectNames: findProjectingAspects(registry),
    project: projectEdges(registry),
  };
}
