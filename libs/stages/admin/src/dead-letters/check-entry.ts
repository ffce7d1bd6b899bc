import {
  parsePreconditions,
  proposalsIn,
  rejectionAt,
  type Proposal,
  type ProposalEntry,
} from '@stratalog/domain';
import type { Steps } from '@stratalog/json';
import { inSlices } from '@stratalog/concurrency';
import type { DeadLetterSelection, DeadLetters } from '@stratalog/ports';
import { checkProposalInSteps, type EntityRegistry } from '@stratalog/registry';

/** Most letters that are checked for one answer. */
const MAX_CHECKED = 1_000;

export interface CheckDeps {
  readonly registry: EntityRegistry;
  readonly deadLetters: Pick<DeadLetters, 'readOpen'>;
}

/** Returns why today's model rejects an entry; `undefined` when it accepts all its proposals. Nothing is written. */
export function* checkEntry(registry: EntityRegistry, entry: ProposalEntry): Steps<string | undefined> {
  for (const [at, proposal] of proposalsIn(entry).entries()) {
    const reason = yield* checkOne(registry, proposal);
    if (reason !== undefined) return 'proposals' in entry ? rejectionAt(at, reason) : reason;
    yield;
  }
  return undefined;
}

function* checkOne(registry: EntityRegistry, proposal: Proposal): Steps<string | undefined> {
  const checked = yield* checkProposalInSteps(registry, proposal);
  if ('rejection' in checked) return checked.rejection;
  const conditions = parsePreconditions(proposal.headers ?? {});
  return 'fault' in conditions ? `${conditions.header}: ${conditions.fault}` : undefined;
}

/** How many of the first open letters of a selection today's model accepts. What is stored decides about them later. */
export async function checkOpen(
  { registry, deadLetters }: CheckDeps,
  selection: DeadLetterSelection,
): Promise<{ readonly checked: number; readonly acceptable: number }> {
  let checked = 0;
  let acceptable = 0;
  let page = await deadLetters.readOpen(selection, undefined, MAX_CHECKED);
  while (page.length > 0 && checked < MAX_CHECKED) {
    for (const { entry } of page) {
      checked += 1;
      if (entry !== undefined && (await inSlices(checkEntry(registry, entry))) === undefined) acceptable += 1;
    }
    page = await deadLetters.readOpen(selection, page.at(-1)?.position, MAX_CHECKED - checked);
  }
  return { checked, acceptable };
}
