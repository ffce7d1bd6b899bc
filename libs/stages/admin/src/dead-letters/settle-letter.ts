import {
  ConflictError,
  InvalidProposalError,
  InvalidRequestError,
  NotFoundError,
  formatDeadLetterId,
  parseDeadLetterId,
  readProposal,
  type Proposal,
} from '@stratalog/domain';
import type { JsonObject, JsonOutputObject } from '@stratalog/json';
import { measure } from '@stratalog/concurrency';
import type { Clock, DeadLetters, WholeDeadLetter } from '@stratalog/ports';
import { urnOfKeyIn } from '@stratalog/registry';
import { REPLAY_DEAD_LETTER } from './dead-letters.routes';
import { formatWhole } from './format-letter';
import { describeSettled, replayLetter, type ReplayDeps } from './replay-letter';

export interface SettleDeps extends ReplayDeps {
  readonly clock: Clock;
}

/** Shows a dead letter with all that is kept of it. **Errors**: those of {@link requireLetter}. */
export async function showDeadLetter(
  { deadLetters }: Pick<SettleDeps, 'deadLetters'>,
  id: string,
): Promise<JsonOutputObject> {
  return formatWhole(await requireLetter(deadLetters, id));
}

/**
 * Replays a dead letter, as it is or corrected, and returns it.
 *
 * **Errors**: those of {@link requireLetter}. `ConflictError` when the letter is settled already, an earlier letter of the same urn is open, or the replay
 * would overwrite something newer. `InvalidProposalError` and `InvalidRequestError` for what no proposal may have; `UnavailableError` when
 * the outcome is not known in time.
 */
export async function replayDeadLetter(
  deps: SettleDeps,
  request: { readonly letter: string; readonly proposal?: JsonObject | undefined; readonly force: boolean },
  actor: string,
): Promise<JsonOutputObject> {
  const letter = await requireOpen(deps.deadLetters, request.letter);
  const corrected =
    request.proposal === undefined ? undefined : readCorrection(deps, request.proposal, actor);
  const outcome = await replayLetter(deps, letter, { actor, force: request.force, corrected });
  switch (outcome.kind) {
    case 'replayed':
      return showDeadLetter(deps, request.letter);
    case 'rejected':
      throw new InvalidProposalError(outcome.reason);
    case 'held':
    case 'settled':
      throw new ConflictError(outcome.reason);
  }
}

/**
 * Discards a dead letter, and returns it.
 *
 * **Errors**: those of {@link requireLetter}; `ConflictError` when it is settled already.
 */
export async function discardDeadLetter(
  { deadLetters }: Pick<SettleDeps, 'deadLetters'>,
  id: string,
  actor: string,
): Promise<JsonOutputObject> {
  const { position } = await requireOpen(deadLetters, id);
  const discarded = await deadLetters.discard({ position }, actor);
  const letter = await requireLetter(deadLetters, id);
  if (discarded === 0) throw new ConflictError(describeSettled(letter));
  measure('settledLetter', { how: 'discarded' });
  return formatWhole(letter);
}

/** The operator is the author of a correction. */
function readCorrection({ registry, clock }: SettleDeps, members: JsonObject, actor: string): Proposal {
  const read = readProposal(members, { actor, nowMs: clock.now(), urnOfKey: urnOfKeyIn(registry) });
  return 'proposal' in read ? read.proposal : REPLAY_DEAD_LETTER.rejectAll(read.faults, 'proposal');
}

async function requireOpen(deadLetters: DeadLetters, id: string): Promise<WholeDeadLetter> {
  const letter = await requireLetter(deadLetters, id);
  if (letter.state !== 'open') throw new ConflictError(describeSettled(letter));
  return letter;
}

/** **Errors**: `InvalidRequestError` for a text that is no id, `NotFoundError` for a letter that does not exist, or was deleted after its time. */
async function requireLetter(deadLetters: DeadLetters, id: string): Promise<WholeDeadLetter> {
  const position = parseDeadLetterId(id);
  if (position === undefined) {
    throw new InvalidRequestError(
      `Parameter 'letter': ${id.slice(0, 100)} is not the id of a dead letter, partition.offset or partition.offset.log`,
    );
  }
  const letter = await deadLetters.read(position);
  if (letter === undefined)
    throw new NotFoundError(`There is no dead letter ${formatDeadLetterId(position)}`);
  return letter;
}
