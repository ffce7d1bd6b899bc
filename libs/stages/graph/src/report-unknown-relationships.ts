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
): void {
  const known = new Set(listRelationshipNames(registry));
  for (const name of requested) if (!known.has(name)) unknown.report('?types=', name, known);
  unknown.settle();
}
