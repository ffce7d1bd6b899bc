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
import { appendAwaited, appendUnawaited, type AppendDeps } from './append-entry';

export interface IngestDeps extends AppendDeps {
  readonly registry: EntityRegistry;
}

export interface IngestOptions {
  readonly isAsync: boolean;
  /** Where it is noted what of the proposals nothing knows. */
  readonly unknown?: UnknownNames;
}

/**
 * Puts a proposal into the log. It is checked first, so that nearly every rejection comes before the log.
 *
 * Synchronous: the answer comes when its version is committed; the position is that of the urn then. Asynchronous: the answer comes
 * as soon as the log has it.
 *
 * **Errors**: `InvalidProposalError` with the reason of a rejection; `UnknownNamesError` when unknown names are rejected; `UnavailableError` when
 * the log or the writer did not answer in time; `FaultError` when applying it failed inside the catalog.
 */
export async function ingestProposal(
  parts: IngestDeps,
  proposal: Proposal,
  { isAsync, unknown }: IngestOptions,
): Promise<Position | undefined> {
  const { registry } = parts;
  const note = unknown?.within('/proposal');
  const check = isAsync ? aheadOfModel : checkedProposal;
  const checked = await inSlices(check(registry, proposal, note));
  unknown?.settle();
  if (!isAsync) return appendAwaited(parts, checked);
  await appendUnawaited(parts, [checked]);
  return undefined;
}

/**
 * A proposal with its canonical value, and the mark of the model that has checked it; a large value is checked step by step.
 * `note` takes unknown names by their places in the proposal.
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
  if ('rejection' in check) throw new InvalidProposalError(check.rejection);
  if (note !== undefined && check.noteUnknown !== undefined) yield* check.noteUnknown(inValue(note));
  const { value } = check;
  return { ...proposal, ...(value === undefined ? {} : { value }), checkedBy: registry.fingerprint };
}

/**
 * As {@link checkedProposal}, for callers that do not wait: they may be ahead of the model, so an unknown aspect or entity type is noted and left to
 * the writer, which keeps the proposal aside.
 */
export function* aheadOfModel(
  registry: EntityRegistry,
  proposal: Proposal,
  note?: NoteUnknown,
): Steps<Proposal> {
  const check = yield* checkProposalInSteps(registry, proposal);
  if (!('rejection' in check) || check.code === undefined) {
    return yield* acceptedBy(registry, proposal, { check, note });
  }
  if (note !== undefined) noteAhead(registry, proposal, note);
  return proposal;
}

function noteAhead(registry: EntityRegistry, { entityType, aspectName }: Proposal, note: NoteUnknown): void {
  const known = registry.entityType(entityType);
  if (known !== undefined) note('/aspectName=', aspectName, known.aspects.keys());
  else {
    const names = registry.entityTypes.map(({ name }) => name);
    note('/entityType=', entityType, names);
  }
}

function inValue(note: NoteUnknown): NoteUnknown {
  return (place, name, known) => {
    note(`/aspect/value${place}`, name, known);
  };
}
