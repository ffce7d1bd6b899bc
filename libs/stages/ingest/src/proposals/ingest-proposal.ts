import {
  InvalidProposalError,
  InvalidRequestError,
  type ReportUnknown,
  type Position,
  type Proposal,
  type UnknownNames,
} from '@stratalog/domain';
import type { Steps } from '@stratalog/json';
import { inSlices } from '@stratalog/concurrency';
import type { AspectStore } from '@stratalog/ports';
import {
  checkProposalInSteps,
  unknownEntityType,
  type EntityRegistry,
  type ProposalCheck,
} from '@stratalog/registry';
import { checkExistence, type ExistenceDeps } from './check-existence';
import { rejectWrongReferences } from './reject-wrong-references';
import { submitAwaited, submitUnawaited, type SubmitDeps } from './submit-entry';

export interface IngestDeps extends SubmitDeps, ExistenceDeps {}

/** Dependencies of a use case that proposes changes of stored values. */
export interface UpdateDeps extends IngestDeps {
  readonly store: AspectStore;
}

export interface IngestOptions {
  readonly isAsync: boolean;
  /** Collects the unknown names of the proposals. */
  readonly unknown?: UnknownNames;
}

/**
 * Submits a proposal to the writer, after a check that catches nearly every rejection.
 *
 * Synchronous: resolves when the version is committed, with the urn's position. Asynchronous: resolves as soon as the
 * log has the proposal, without a position.
 *
 * **Errors**: `InvalidProposalError` with the reason of a rejection. `UnknownNamesError` when a strict call has
 * unknown names. `UnavailableError` when the log or the writer did not answer in time. `FaultError` when the writer
 * failed inside the catalog.
 */
export async function ingestProposal(
  deps: IngestDeps,
  proposal: Proposal,
  { isAsync, unknown }: IngestOptions,
): Promise<Position | undefined> {
  const { registry } = deps;
  const report = unknown?.within('/proposal');
  const check = isAsync ? checkLeniently : checkProposal;
  const checked = await inSlices(check(registry, proposal, report));
  await checkExistence(deps, { proposals: [checked], isBatch: false, unknown });
  unknown?.settle();
  if (!isAsync) return submitAwaited(deps, checked);
  await rejectWrongReferences(deps, checked);
  await submitUnawaited(deps, [checked]);
  return undefined;
}

/**
 * Checks a proposal and returns it with its canonical value and the fingerprint of the checking model. Checks a large
 * value in steps; reports unknown names to `report`, with their paths in the proposal.
 *
 * **Errors**: `InvalidProposalError`, and `InvalidRequestError` for an entity type that the model does not have.
 */
export function* checkProposal(
  registry: EntityRegistry,
  proposal: Proposal,
  report?: ReportUnknown,
): Steps<Proposal> {
  return yield* acceptChecked(registry, proposal, {
    check: yield* checkProposalInSteps(registry, proposal),
    report,
  });
}

function* acceptChecked(
  registry: EntityRegistry,
  proposal: Proposal,
  { check, report }: { readonly check: ProposalCheck; readonly report: ReportUnknown | undefined },
): Steps<Proposal> {
  if (registry.entityType(proposal.entityType) === undefined) {
    throw new InvalidRequestError(unknownEntityType(registry, proposal.entityType));
  }
  if ('rejection' in check) throw new InvalidProposalError(check.rejection);
  if (report !== undefined && check.reportUnknown !== undefined) yield* check.reportUnknown(inValue(report));
  const { value } = check;
  return {
    ...proposal,
    ...(value === undefined ? {} : { value }),
    // The writer compares wrong references with the stored ones.
    ...(check.rejectReferences === undefined ? { checkedBy: registry.fingerprint } : {}),
  };
}

/**
 * Checks like {@link checkProposal}, but accepts an unknown aspect or entity type, for callers that do not wait. Such
 * a caller may be ahead of the model: the name is reported, and the writer stores the proposal as a dead letter.
 */
export function* checkLeniently(
  registry: EntityRegistry,
  proposal: Proposal,
  report?: ReportUnknown,
): Steps<Proposal> {
  const check = yield* checkProposalInSteps(registry, proposal);
  if (!('rejection' in check) || check.code === undefined) {
    return yield* acceptChecked(registry, proposal, { check, report });
  }
  if (report !== undefined) reportAhead(registry, proposal, report);
  return proposal;
}

function reportAhead(
  registry: EntityRegistry,
  { entityType, aspectName }: Proposal,
  report: ReportUnknown,
): void {
  const known = registry.entityType(entityType);
  if (known !== undefined) report('/aspectName=', aspectName, known.aspects.keys());
  else {
    const names = registry.entityTypes.map(({ name }) => name);
    report('/entityType=', entityType, names);
  }
}

function inValue(report: ReportUnknown): ReportUnknown {
  return (place, name, known) => {
    report(`/aspect/value${place}`, name, known);
  };
}
