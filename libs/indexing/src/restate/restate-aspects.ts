import { NO_RUN_ID, UnavailableError, entityTypeIn, type Proposal } from '@stratalog/domain';
import { inParallel, rejectImplausible } from '@stratalog/concurrency';
import type { AspectRef, Clock, ProposalSubmitter } from '@stratalog/ports';

export interface RestateDeps {
  readonly registry: RestatedModel;
  readonly submitter: ProposalSubmitter;
  readonly clock: Clock;
}

/** The part of the model that a restatement needs. */
interface RestatedModel {
  entityType(name: string):
    | {
        readonly keyAspect: { readonly name: string };
        readonly aspects: Pick<ReadonlyMap<string, unknown>, 'has'>;
      }
    | undefined;
}

/** Proposals in flight; enough to share commits well. */
const AT_ONCE = 64;

/**
 * Restates the key aspect of entities, so that the indices project them again, after a change of which the change log says
 * nothing. Entities that the model does not know or that were deleted meanwhile are passed over.
 *
 * **Errors**: those of {@link restateAspects}.
 */
export async function restateEntities(
  deps: RestateDeps,
  urns: readonly string[],
  actor: string,
): Promise<void> {
  const keys = urns.flatMap((urn) => {
    const aspectName = deps.registry.entityType(entityTypeIn(urn))?.keyAspect.name;
    return aspectName === undefined ? [] : [{ urn, aspectName }];
  });
  await restateAspects(deps, keys, actor);
}

/**
 * Restates aspects as they are stored, and returns those that it restated: not the ones that the model does not know or that were deleted
 * meanwhile.
 *
 * **Errors**: `UnavailableError` when the clock is not plausible, or the log or the writer does not answer in time, or the writer fails. A
 * task then repeats the step, and does not lose the list of what it has to restate. What was restated before stays.
 */
export async function restateAspects(
  deps: RestateDeps,
  aspects: readonly AspectRef[],
  actor: string,
): Promise<readonly AspectRef[]> {
  const isRestated = await inParallel(aspects, AT_ONCE, (aspect) => restate(deps, aspect, actor));
  return aspects.filter((_, index) => isRestated[index] === true);
}

/** Restates one aspect. False when the model does not know it, or it was deleted meanwhile. */
async function restate(
  { registry, submitter, clock }: RestateDeps,
  { urn, aspectName }: AspectRef,
  actor: string,
): Promise<boolean> {
  const entityType = entityTypeIn(urn);
  if (registry.entityType(entityType)?.aspects.has(aspectName) !== true) return false;
  rejectImplausible(clock);
  const systemMetadata = { lastObserved: clock.now(), runId: NO_RUN_ID };
  const common = { urn, entityType, aspectName, actor, systemMetadata };
  const proposal: Proposal = { ...common, changeType: 'RESTATE' };
  const outcome = await submitter.submitAndWait(proposal);
  if (outcome.kind === 'failed') {
    throw new UnavailableError(`The writer did not restate ${aspectName} of ${urn}`, {
      cause: outcome.cause,
    });
  }
  return outcome.kind === 'applied';
}
