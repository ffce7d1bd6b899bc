import type { ChangeKey, EdgeSet, EntityEdges, StoredAspect, StoredEntity } from '@stratalog/domain';
import { parseInSteps, type Steps } from '@stratalog/json';
import {
  collectColumnEdges,
  collectEdges,
  declaresEdges,
  declaresLineage,
  findEntityType,
  type AspectType,
  type EntityRegistry,
} from '@stratalog/registry';

/**
 * Projects entities to their edges by a model: a pure function of the latest aspects. A deleted entity has no aspects
 * and so no edges. An entity of a type outside the model has no entry in the graph.
 */
export function projectEdges(
  registry: EntityRegistry,
): (entity: StoredEntity) => Steps<EntityEdges | undefined> {
  return function* ({ urn, seq, aspects }) {
    const entityType = findEntityType(registry, urn);
    if (entityType === undefined) return undefined;
    const sets: EdgeSet[] = [];
    for (const stored of aspects) {
      const aspect = entityType.aspects.get(stored.name);
      if (aspect === undefined || !declaresEdges(aspect)) continue;
      sets.push({ aspectName: stored.name, edges: yield* projectAspectEdges(aspect, urn, stored) });
    }
    return { urn, seq, sets };
  };
}

/** A version of an aspect, as far as its edges depend on it. */
type ProjectedAspect = Pick<StoredAspect, 'name' | 'value' | 'created' | 'systemMetadata'>;

/** Projects one version of an aspect to its edges, as the model of today reads it. Aspects outside the model have none. */
export function projectAspect(
  registry: EntityRegistry,
): (urn: string, stored: ProjectedAspect) => Steps<EdgeSet['edges']> {
  return function* (urn, stored) {
    const aspect = findEntityType(registry, urn)?.aspects.get(stored.name);
    return aspect === undefined ? [] : yield* projectAspectEdges(aspect, urn, stored);
  };
}

/** An edge without its own time gets the time at which its value was observed. */
function* projectAspectEdges(
  aspect: AspectType,
  urn: string,
  { value, created, systemMetadata }: ProjectedAspect,
): Steps<EdgeSet['edges']> {
  const { lastObserved } = systemMetadata;
  const isObserved = typeof lastObserved === 'number' && lastObserved > 0;
  const context = { urn, timeMs: isObserved ? lastObserved : created.time, actor: created.actor };
  const parsed = yield* parseInSteps(value);
  const own = yield* collectEdges(aspect, parsed, context);
  return [...own, ...(yield* collectColumnEdges(aspect, parsed, context))];
}

/** Lists the aspects that can declare edges. */
export function findProjectingAspects(registry: EntityRegistry): readonly string[] {
  return registry.aspects.filter(declaresEdges).map(({ name }) => name);
}

/** Lists the aspects that can declare lineage. */
export function findLineageAspects(registry: EntityRegistry): readonly string[] {
  return registry.aspects.filter(declaresLineage).map(({ name }) => name);
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
    return aspect === undefined || aspect.isKey || declaresEdges(aspect);
  };
}
