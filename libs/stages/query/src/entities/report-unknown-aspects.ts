import type { UnknownNames } from '@stratalog/domain';
import type { EntityRegistry } from '@stratalog/registry';

/** Reports requested aspect names outside the model, which are ignored; `place` is where the request has them. */
export function reportUnknownAspects(
  { registry }: { readonly registry: EntityRegistry },
  unknown: UnknownNames,
  requested: Iterable<string> = [],
  place = '?aspects=',
): void {
  for (const name of requested) {
    if (registry.aspect(name) !== undefined) continue;
    const known = registry.aspects.map((aspect) => aspect.name);
    unknown.report(place, name, known);
  }
  unknown.settle();
}
