import { entityTypeIn } from '@stratalog/domain';
import type { ParsedJson, Steps } from '@stratalog/json';
import { formatPlace, visitPlace, type Step } from '../annotations/place';
import type { WrongReference } from '../check/check-run';
import { spelledOtherwise, wantedUrn } from '../check/urn-check';
import type { AspectType, EntityRegistry } from '../model/entity-registry';
import { suggestEntityType } from './unknown-names';

/** A place of urns whose entity types the relationships at it name. */
interface ReferencePlace {
  readonly steps: readonly Step[];
  readonly entityTypes: readonly string[];
}

/**
 * Lists the urns of a value at places of relationships whose entity type is another than the relationship names:
 * misspelt, unknown or wrong.
 */
export function* listWrongReferences(
  registry: EntityRegistry,
  aspect: AspectType,
  value: ParsedJson,
): Steps<readonly WrongReference[]> {
  const wrong: WrongReference[] = [];
  for (const { steps, entityTypes } of listPlaces(registry, aspect)) {
    yield* visitPlace(value, steps, (urn, trail) => {
      if (typeof urn !== 'string') return;
      const entityType = entityTypeIn(urn);
      if (entityTypes.includes(entityType)) return;
      const known = registry.entityType(entityType)?.name;
      const hint =
        known === undefined
          ? `; there is no entity type ${entityType}${suggestEntityType(registry, entityType)}`
          : known === entityType
            ? ''
            : `; ${spelledOtherwise(known, entityType)}`;
      wrong.push({
        path: formatPlace(steps, trail),
        urn,
        reason: `${wantedUrn(entityTypes, urn)}${hint}`,
      });
    });
  }
  return wrong;
}

/** The places of each aspect, computed once: every write asks. */
const PLACES = new WeakMap<AspectType, readonly ReferencePlace[]>();

function listPlaces(registry: EntityRegistry, aspect: AspectType): readonly ReferencePlace[] {
  const known = PLACES.get(aspect);
  if (known !== undefined) return known;
  const byPath = new Map<string, ReferencePlace>();
  for (const { path, steps, entityTypes } of aspect.relationships) {
    const others = byPath.get(path)?.entityTypes;
    const isOpen = entityTypes.length === 0 || others?.length === 0;
    const names = entityTypes.map((name) => registry.entityType(name)?.name ?? name);
    byPath.set(path, { steps, entityTypes: isOpen ? [] : [...new Set([...(others ?? []), ...names])] });
  }
  const places = [...byPath.values()].filter(({ entityTypes }) => entityTypes.length > 0);
  PLACES.set(aspect, places);
  return places;
}
