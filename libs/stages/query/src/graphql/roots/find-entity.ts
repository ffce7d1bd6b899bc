import { InvalidRequestError, entityTypeIn } from '@stratalog/domain';
import { MAX_BATCH_URNS } from '../../entities/view-entities';
import type { CallScope } from '../call-scope';
import { EntityRef } from '../fields/values';

/**
 * Finds an entity; `null` when there is none.
 *
 * **Errors**: `InvalidRequestError` for a malformed urn, one of a type outside the model, or one of another type than `entityType`.
 */
export async function findEntity(
  { loader }: CallScope,
  urn: string,
  entityType?: string,
): Promise<EntityRef | null> {
  if (entityType !== undefined && entityTypeIn(urn) !== entityType) {
    throw new InvalidRequestError(`"${urn.slice(0, 600)}" is no urn of the entity type ${entityType}`);
  }
  return (await loader.exists(urn)) ? new EntityRef(urn) : null;
}

/** Finds several entities, in the order of their urns. **Errors**: those of {@link findEntity}; also for too many. */
export function findEntities(
  scope: CallScope,
  urns: readonly string[],
): Promise<readonly (EntityRef | null)[]> {
  if (urns.length > MAX_BATCH_URNS) {
    throw new InvalidRequestError(
      `urns names ${String(urns.length)} entities; at most ${String(MAX_BATCH_URNS)} are read at once`,
    );
  }
  return Promise.all(urns.map((urn) => findEntity(scope, urn)));
}
