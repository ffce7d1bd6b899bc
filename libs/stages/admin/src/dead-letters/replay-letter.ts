import {
  asReplay,
  formatDeadLetterId,
  proposalsIn,
  type Proposal,
  type ProposalEntry,
} from '@stratalog/domain';
import { inSlices, measure } from '@stratalog/concurrency';
import type { DeadLetters, OpenDeadLetter, ProposalSubmitter } from '@stratalog/ports';
import { checkEntry, type CheckDeps } from './check-entry';
import { findNewer, type NewerDeps } from './find-newer';

export interface ReplayDeps extends CheckDeps, NewerDeps {
  readonly submitter: ProposalSubmitter;
  readonly deadLetters: DeadLetters;
}

type ReplayedLetter = Omit<OpenDeadLetter, 'isLogged'>;

export interface ReplayRequest {
  /** Urn of the operator. */
  readonly actor: string;
  /** True: also over something newer, and before an earlier letter of the same urn. */
  readonly force: boolean;
  /** What is applied instead of the letter's own entry. */
  readonly corrected?: Proposal | undefined;
}

export type ReplayOutcome =
  | { readonly kind: 'replayed' }
  /** The model or the writer rejects it; the letter stays open. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** Nothing was tried: it would overwrite something newer, or an earlier letter of an urn is open. */
  | { readonly kind: 'held'; readonly reason: string }
  /** Another call was first. */
  | { readonly kind: 'settled'; readonly reason: string };

const FORCE = 'replay it with force=true to do so nevertheless';

/**
 * Applies an open dead letter, and settles it in the same commit. Of several calls at a time one does.
 *
 * **Errors**: those of `submitAndWait`. When the outcome is not known in time, the letter tells it later.
 */
export async function replayLetter(
  deps: ReplayDeps,
  letter: ReplayedLetter,
  { actor, force, corrected }: ReplayRequest,
): Promise<ReplayOutcome> {
  const entry = corrected ?? letter.entry;
  if (entry === undefined)
    return { kind: 'rejected', reason: 'It could not be decoded, so it needs a corrected proposal' };
  const reason = await inSlices(checkEntry(deps.registry, entry));
  if (reason !== undefined) return { kind: 'rejected', reason };
  const allowed = force ? { guarded: entry } : await findObstacle(deps, letter, entry);
  if ('obstacle' in allowed) return { kind: 'held', reason: `${allowed.obstacle}; ${FORCE}` };
  await deps.submitter.submitAndWait(asReplay(allowed.guarded, { letter: letter.position, actor }));
  return readOutcome(deps, letter, actor);
}

async function findObstacle(
  deps: ReplayDeps,
  letter: ReplayedLetter,
  entry: ProposalEntry,
): Promise<{ readonly obstacle: string } | { readonly guarded: ProposalEntry }> {
  const urns = [...new Set(proposalsIn(entry).map(({ urn }) => urn))];
  const earlier = await deps.deadLetters.findEarlier(letter.position, urns);
  if (earlier !== undefined)
    return {
      obstacle: `Dead letter ${formatDeadLetterId(earlier)} of the same urn came before it and is open`,
    };
  const found = await findNewer(deps, letter, entry);
  return 'newer' in found ? { obstacle: found.newer } : found;
}

/** The commit has decided about the letter. What the log says of the record is that of any other one. */
async function readOutcome(
  { deadLetters }: ReplayDeps,
  { position }: ReplayedLetter,
  actor: string,
): Promise<ReplayOutcome> {
  const now = await deadLetters.read(position);
  if (now?.state === 'open') return { kind: 'rejected', reason: now.reason };
  if (now?.state === 'replayed' && now.settledBy === actor) {
    measure('settledLetter', { how: 'replayed' });
    return { kind: 'replayed' };
  }
  return { kind: 'settled', reason: describeSettled(now) };
}

/** Says who was first. */
export function describeSettled(
  letter: { readonly state: string; readonly settledBy?: string; readonly settledMs?: number } | undefined,
): string {
  if (letter === undefined) return 'The dead letter is no more';
  const { state, settledBy = 'the catalog', settledMs = 0 } = letter;
  return `The dead letter was ${state} by ${settledBy} at ${new Date(settledMs).toISOString()}`;
}
