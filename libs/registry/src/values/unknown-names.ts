import { didYouMean } from '@stratalog/model';
import type { EntityRegistry, EntityType } from '../model/entity-registry';

/** The rejection of an entity type that the model does not have, in the reference's wording, with the type that may be meant. */
export function unknownEntityType(registry: EntityRegistry, name: string): string {
  return `Failed to find entity with name ${name} in EntityRegistry${nearEntityType(registry, name)}`;
}

/** The rejection of an aspect that an entity type does not have, with the aspect that may be meant. */
export function unknownAspect({ name, aspects }: EntityType, aspectName: string): string {
  return `Unknown aspect ${aspectName} for entity ${name}${didYouMean(aspectName, aspects.keys())}`;
}

/** The end of a rejection of an entity type: the one that may be meant, or nothing. */
export function nearEntityType({ entityTypes }: EntityRegistry, name: string): string {
  const names = entityTypes.map((type) => type.name);
  return didYouMean(name, names);
}

/** The end of a rejection of an aspect: the one that may be meant, or nothing. */
export function nearAspect({ aspects }: Pick<EntityRegistry, 'aspects'>, name: string): string {
  const names = aspects.map((aspect) => aspect.name);
  return didYouMean(name, names);
}
