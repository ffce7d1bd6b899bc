import type {
  ChangeKey,
  FieldValue,
  ReferencedEntities,
  ReferenceRules,
  StoredEntity,
} from '@stratalog/domain';
import { parseInSteps, type Steps } from '@stratalog/json';
import {
  extractSearchValues,
  isReferenceTo,
  findEntityType,
  type EntityRegistry,
  type EntityType,
  type SearchReference,
} from '@stratalog/registry';

/** Most entities whose values one document holds; further ones are found by their urns only. */
const MAX_REFERENCED = 50;

/** Makes the rules of a model by which documents hold values of referenced entities; `undefined` for a model without references. */
export function referenceRules(registry: EntityRegistry): ReferenceRules | undefined {
  const references = registry.entityTypes.flatMap((type) => type.references);
  if (references.length === 0) return undefined;
  const referring = new Set(references.map(({ aspect }) => aspect.name));
  const aspectNames = new Set(
    references.flatMap(({ searchedAspects }) => searchedAspects.map(({ name }) => name)),
  );
  // Creating and deleting an entity may change its key aspect alone.
  const keys = references.map(({ entityType }) => registry.entityType(entityType)?.keyAspect.name);
  const affecting = new Set<string | undefined>([...aspectNames, ...keys]);
  return {
    aspectNames: [...aspectNames],
    affects: ({ urn, aspectName, isTimeseriesValue }: ChangeKey) =>
      isTimeseriesValue !== true &&
      affecting.has(aspectName) &&
      references.some((reference) => isReferenceTo(reference, urn)),
    list: (entity) => listReferenced(registry, referring, entity),
  };
}

function* listReferenced(
  registry: EntityRegistry,
  referring: ReadonlySet<string>,
  entity: StoredEntity,
): Steps<readonly string[]> {
  if (!entity.aspects.some(({ name }) => referring.has(name))) return [];
  const urns = new Set<string>();
  for (const reference of findEntityType(registry, entity.urn)?.references ?? []) {
    for (const urn of yield* readReferences(reference, entity)) urns.add(urn);
  }
  return [...urns].slice(0, MAX_REFERENCED);
}

function* readReferences(reference: SearchReference, entity: StoredEntity): Steps<readonly string[]> {
  const { aspect, place } = reference;
  const stored = entity.aspects.find(({ name }) => name === aspect.name);
  if (stored === undefined) return [];
  const found = yield* extractSearchValues(aspect, yield* parseInSteps(stored.value));
  return found
    .filter(({ field }) => field.name === place.field.name)
    .flatMap(({ values }) => values.map(String))
    .filter((urn) => isReferenceTo(reference, urn));
}

/** Adds the values of the entities that an entity refers to, to those of its own. */
export function* addReferencedValues(
  { references }: EntityType,
  values: Map<string, Set<FieldValue>>,
  referenced: ReferencedEntities,
): Steps<void> {
  // `referenced` holds what other entities of the page refer to, too.
  const own = new Set<string>();
  for (const reference of references) {
    const { place, searchedAspects, fields } = reference;
    for (const urn of [...(values.get(place.field.name) ?? [])].map(String)) {
      if (!isReferenceTo(reference, urn) || (own.size >= MAX_REFERENCED && !own.has(urn))) continue;
      own.add(urn);
      const stored = new Map(referenced.get(urn)?.aspects.map((each) => [each.name, each]));
      for (const aspect of searchedAspects) {
        const latest = stored.get(aspect.name);
        if (latest === undefined) continue;
        for (const { field, values: found } of yield* extractSearchValues(
          aspect,
          yield* parseInSteps(latest.value),
        )) {
          const name = fields.get(field.name)?.name;
          if (name === undefined) continue;
          const held = values.get(name) ?? new Set();
          values.set(name, held);
          for (const each of found) held.add(each);
        }
        yield;
      }
    }
  }
}
