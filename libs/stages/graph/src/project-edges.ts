import {
  parseInSteps,
  parseUrn,
  type ChangeKey,
  type EdgeSet,
  type EntityEdges,
  type Steps,
  type StoredAspect,
  type StoredEntity,
} from '@stratalog/model';
import { collectEdges, type AspectType, type EntityRegistry } from '@stratalog/registry';

/**
 * Makes what entities draw by a model: a pure function of an entity's latest aspects. One without aspects, because it was deleted,
 * draws nothing. An entity of a type that the model does not have any more has no place in the graph.
 */
export function projectEdges(
  registry: EntityRegistry,
): (entity: StoredEntity) => Steps<EntityEdges | undefined> {
  return function* ({ urn, seq, aspects }) {
    const parsed = parseUrn(urn);
    const entityType = 'urn' in parsed ? registry.entityType(parsed.urn.entityType) : undefined;
    if (entityType === undefined) return undefined;
    const sets: EdgeSet[] = [];
    for (const stored of aspects) {
      const aspect = entityType.aspects.get(stored.name);
      if (aspect === undefined || aspect.relationships.length === 0) continue;
      sets.push({ aspectName: stored.name, edges: yield* drawnBy(aspect, urn, stored) });
    }
    return { urn, seq, sets };
  };
}

/** An edge without a time of its own has that at which the value was observed. */
function* drawnBy(
  aspect: AspectType,
  urn: string,
  { value, created, systemMetadata }: StoredAspect,
): Steps<EdgeSet['edges']> {
  const { lastObserved } = systemMetadata;
  const isObserved = typeof lastObserved === 'number' && lastObserved > 0;
  return yield* collectEdges(aspect, yield* parseInSteps(value), {
    urn,
    timeMs: isObserved ? lastObserved : created.time,
    actor: created.actor,
  });
}

/** The aspects that draw anything. */
export function findProjectingAspects(registry: EntityRegistry): readonly string[] {
  return registry.aspects.filter(({ relationships }) => relationships.length > 0).map(({ name }) => name);
}

/**
 * Tells whether a change of an aspect may change what its entity draws. The key aspect counts always: with it an entity comes and goes.
 * A point draws nothing.
 */
export function drawsEdgesIn(
  registry: EntityRegistry,
): (change: Pick<ChangeKey, 'aspectName' | 'isTimeseriesValue'>) => boolean {
  return ({ aspectName, isTimeseriesValue }) => {
    if (isTimeseriesValue === true) return false;
    const aspect = registry.aspect(aspectName);
    return aspect === undefined || aspect.isKey || aspect.relationships.length > 0;
  };
}
