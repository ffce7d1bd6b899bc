import { InvalidProposalError, type Proposal } from '@stratalog/domain';
import { inSlices } from '@stratalog/concurrency';
import { checkProposalInSteps } from '@stratalog/registry';
import type { ExistenceDeps } from './check-existence';

/**
 * Rejects a proposal for references that lead nowhere and that the stored value does not have, before it is in the log. The
 * writer decides again, under the lock of the entity.
 *
 * **Errors**: `InvalidProposalError` with the paths of the urns.
 */
export async function rejectWrongReferences(
  { registry, store }: Pick<ExistenceDeps, 'registry' | 'store'>,
  proposal: Proposal,
): Promise<void> {
  if (proposal.checkedBy !== undefined) return;
  const check = await inSlices(checkProposalInSteps(registry, proposal));
  if ('rejection' in check || check.rejectReferences === undefined) return;
  const { entities } = await store.readEntities([proposal.urn], [proposal.aspectName]);
  const rejection = check.rejectReferences(entities[0]?.aspects[0]?.value);
  if (rejection !== undefined) throw new InvalidProposalError(rejection);
}
