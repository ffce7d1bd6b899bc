import type { ReferenceRules, ReferencedEntities, StoredEntity } from '@stratalog/domain';
import type { Steps } from '@stratalog/json';
import { inSlices, readEntityPages } from '@stratalog/concurrency';
import type { StoreState } from '@stratalog/ports';

/**
 * Reads the entities that the entries of `entities` hold values of, with the aspects that matter.
 *
 * **Errors**: `UnavailableError` when the store is unavailable.
 */
export async function readReferenced(
  state: StoreState,
  references: ReferenceRules | undefined,
  entities: readonly StoredEntity[],
): Promise<ReferencedEntities> {
  const found = new Map<string, StoredEntity>();
  if (references === undefined) return found;
  const urns = [...(await inSlices(listAll(references.list, entities)))];
  for await (const page of readEntityPages(state, urns, references)) {
    for (const entity of page.entities) found.set(entity.urn, entity);
  }
  return found;
}

function* listAll(
  list: (entity: StoredEntity) => Steps<readonly string[]>,
  entities: readonly StoredEntity[],
): Steps<ReadonlySet<string>> {
  const urns = new Set<string>();
  for (const entity of entities) for (const urn of yield* list(entity)) urns.add(urn);
  return urns;
}
