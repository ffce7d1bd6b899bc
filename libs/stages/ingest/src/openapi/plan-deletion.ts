import { InvalidRequestError, NO_RUN_ID } from '@stratalog/domain';
import type { Input } from '@stratalog/http';
import { entityNamed, type EntityRegistry } from '@stratalog/registry';
import type { Caller } from '../proposals/create-caller';
import type { DELETE_WRITTEN } from './entity-writes.routes';
import type { PlacedProposal } from './parse-entities';

/**
 * Returns the proposals of a deletion: of the key aspect for the whole entity, else of each aspect.
 *
 * **Errors**: `InvalidRequestError` for a malformed urn, and for aspects that are named next to `clear`.
 */
export function planDeletion(
  { registry, actor, nowMs }: Caller & { readonly registry: EntityRegistry },
  { entityType, urn, aspects, clear }: Omit<Input<typeof DELETE_WRITTEN>, 'nothing'>,
): readonly PlacedProposal[] {
  const { entityType: type } = entityNamed(registry, urn);
  if (clear && aspects.length > 0)
    throw new InvalidRequestError("Parameters 'aspects' and 'clear': send one of them");
  const all = [...type.aspects.keys()].filter((name) => name !== type.keyAspect.name);
  const whole = aspects.length === 0 ? [type.keyAspect.name] : [...new Set(aspects)];
  const systemMetadata = { lastObserved: nowMs, runId: NO_RUN_ID };
  return (clear ? all : whole).map((aspectName) => ({
    place: `/${aspectName}`,
    proposal: { entityType, urn, aspectName, changeType: 'DELETE', systemMetadata, actor },
  }));
}
