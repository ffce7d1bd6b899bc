import type { UnknownNames } from '@stratalog/domain';
import { listRelationshipNames, type EntityRegistry } from '@stratalog/registry';

/**
 * Reports requested relationships that no aspect of the model declares: they have no edges.
 *
 * **Errors**: `UnknownNamesError` when the call is strict and has unknown names.
 */
export function reportUnknownRelationships(
  { registry }: { readonly registry: EntityRegistry },
  unknown: UnknownNames,
  requested: readonly string[],
  parameter = 'types',
): void {
  const known = new Set(listRelationshipNames(registry));
  for (const name of requested) if (!known.has(name)) unknown.report(`?${parameter}=`, name, known);
  unknown.settle();
}

/**
 * Returns the relationships of a call: those that it names, or all of the model.
 *
 * **Errors**: those of {@link reportUnknownRelationships}.
 */
export function chooseRelationships(
  deps: { readonly registry: EntityRegistry },
  unknown: UnknownNames,
  requested: readonly string[] = [],
): readonly string[] {
  if (requested.length === 0) return listRelationshipNames(deps.registry);
  reportUnknownRelationships(deps, unknown, requested, 'relationshipTypes');
  return [...new Set(requested)];
}
