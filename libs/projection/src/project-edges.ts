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
 * Projects entities to their edges by a model: a pure function of the latest aspects. A deleted entity has no aspects
 * and so no edges. An entity of a type outside the model has no entry in the graph.
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
      sets.push({ aspectName: stored.name, edges: yield* projectAspectEdges(aspect, urn, stored) });
    }
    return { urn, seq, sets };
  };
}

/** An edge without its own time gets the time at which its value was observed. */
function* projectAspectEdges(
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

/** Lists the aspects with relationships. */
export function findProjectingAspects(registry: EntityRegistry): readonly string[] {
  return registry.aspects.filter(({ relationships }) => relationships.length > 0).map(({ name }) => name);
}

/**
 * Returns whether a change may affect the edges of its entity. A change of the key aspect always does, because the
 * entity is created or deleted with it. A timeseries value never does.
 */
export function affectsEdges(
  registry: EntityRegistry,
): (change: Pick<ChangeKey, 'aspectName' | 'isTimeseriesValue'>) => boolean {
  return ({ aspectName, isTimeseriesValue }) => {
    if (isTimeseriesValue === true) return false;
    const aspect = registry.aspect(aspectName);
    return aspect === undefined || aspect.isKey || aspect.relationships.length > 0;
  };
}
