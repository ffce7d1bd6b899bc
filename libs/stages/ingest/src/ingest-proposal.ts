import {
  InvalidProposalError,
  InvalidRequestError,
  type NoteUnknown,
  type Position,
  type Proposal,
  type Steps,
  type UnknownNames,
} from '@stratalog/model';
import { inSlices } from '@stratalog/ports';
import {
  checkProposalInSteps,
  unknownEntityType,
  type EntityRegistry,
  type ProposalCheck,
} from '@stratalog/registry';
import { appendAwaited, appendUnawaited, type AppendParts } from './append-entry';

export interface IngestParts extends AppendParts {
  readonly registry: EntityRegistry;
}

export interface IngestOptions {
  readonly isAsync: boolean;
  /** Where it is noted what of the proposals nothing knows. */
  readonly unknown?: UnknownNames;
}

/**
 * Puts a proposal into the log. It is checked first, so that nearly every refusal comes before the log.
 *
 * Synchronous: the answer comes when its version is committed; the position is that of the urn then. Asynchronous: the answer comes
 * as soon as the log has it.
 *
 * **Errors**: `InvalidProposalError` with the reason of a refusal; `UnknownNamesError` when unknown names are refused; `UnavailableError` when
 * the log or the writer did not answer in time; `FaultError` when applying it failed inside the catalog.
 */
export async function ingestProposal(
  parts: IngestParts,
  proposal: Proposal,
  { isAsync, unknown }: IngestOptions,
): Promise<Position | undefined> {
  const { registry } = parts;
  const note = unknown?.within('/proposal/aspect/value');
  const check = isAsync ? aheadOfModel : checkedProposal;
  const checked = await inSlices(check(registry, proposal, note));
  unknown?.settle();
  if (!isAsync) return appendAwaited(parts, checked);
  await appendUnawaited(parts, [checked]);
  return undefined;
}

/**
 * A proposal with its canonical value, and the mark of the model that has checked it; a large value is checked step by step.
 *
 * **Errors**: `InvalidProposalError`, and `InvalidRequestError` for an entity type that the model does not have.
 */
export function* checkedProposal(
  registry: EntityRegistry,
  proposal: Proposal,
  note?: NoteUnknown,
): Steps<Proposal> {
  return yield* acceptedBy(registry, proposal, {
    check: yield* checkProposalInSteps(registry, proposal),
    note,
  });
}

function* acceptedBy(
  registry: EntityRegistry,
  proposal: Proposal,
  { check, note }: { readonly check: ProposalCheck; readonly note: NoteUnknown | undefined },
): Steps<Proposal> {
  if (registry.entityType(proposal.entityType) === undefined) {
    throw new InvalidRequestError(unknownEntityType(registry, proposal.entityType));
  }
  if ('refusal' in check) throw new InvalidProposalError(check.refusal);
  if (note !== undefined && check.noteUnknown !== undefined) yield* check.noteUnknown(note);
  const { value } = check;
  return { ...proposal, ...(value === undefined ? {} : { value }), checkedBy: registry.fingerprint };
}

/** Who does not wait may be ahead of the model: what it does not know yet is for the writer to keep aside. */
function* aheadOfModel(registry: EntityRegistry, proposal: Proposal, note?: NoteUnknown): Steps<Proposal> {
  const check = yield* checkProposalInSteps(registry, proposal);
  const isAhead = 'refusal' in check && check.code !== undefined;
  return isAhead ? proposal : yield* acceptedBy(registry, proposal, { check, note });
}
