import { didYouMean } from '@stratalog/domain';
import type { EntityRegistry, EntityType } from '../model/entity-registry';

/** Formats the rejection of an unknown entity type, in the reference's wording, with a suggestion. */
export function unknownEntityType(registry: EntityRegistry, name: string): string {
  return `Failed to find entity with name ${name} in EntityRegistry${suggestEntityType(registry, name)}`;
}

/** Formats the rejection of an aspect outside its entity type, with a suggestion. */
export function unknownAspect({ name, aspects }: EntityType, aspectName: string): string {
  return `Unknown aspect ${aspectName} for entity ${name}${didYouMean(aspectName, aspects.keys())}`;
}

/** Everyday names of some entity types. */
const EVERYDAY_NAMES: Readonly<Record<string, string>> = {
  table: 'dataset',
  view: 'dataset',
  topic: 'dataset',
  stream: 'dataset',
  report: 'dashboard',
  job: 'dataJob',
  task: 'dataJob',
  pipeline: 'dataFlow',
  flow: 'dataFlow',
  user: 'corpuser',
  person: 'corpuser',
  group: 'corpGroup',
  team: 'corpGroup',
  term: 'glossaryTerm',
  model: 'mlModel',
  feature: 'mlFeature',
  schema: 'container',
  database: 'container',
  folder: 'container',
  column: 'schemaField',
};

/** Formats a suggestion of an entity type; empty when none is near. */
export function suggestEntityType({ entityTypes }: EntityRegistry, name: string): string {
  const names = entityTypes.map((type) => type.name);
  const meant = EVERYDAY_NAMES[name.toLowerCase().replace(/s$/, '')];
  return meant !== undefined && names.includes(meant) ? `; did you mean ${meant}?` : didYouMean(name, names);
}

/** Formats a suggestion of an aspect; empty when none is near. */
export function suggestAspect({ aspects }: Pick<EntityRegistry, 'aspects'>, name: string): string {
  const names = aspects.map((aspect) => aspect.name);
  return didYouMean(name, names);
}
