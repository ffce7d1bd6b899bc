import type { LoggedPosition, DeadLetters, ProposalLog } from '@stratalog/ports';
import { checkProposal, type EntityRegistry } from '@stratalog/registry';

export interface ReplayDeps {
  readonly deadLetters: DeadLetters;
  readonly proposals: ProposalLog;
  readonly registry: EntityRegistry;
}

const PAGE = 500;

/**
 * Logs again the dead letters that waited for a model, as far as this model accepts them, and returns their
 * number. It must finish before any other writer starts, so that no old proposal follows a newer one.
 *
 * **Order and repeats**: per urn as they were logged. A crash may repeat some, which changes nothing: an
 * unchanged value makes no version.
 */
export function replayDeadLetters(deps: ReplayDeps): Promise<number> {
  return deps.deadLetters.exclusively(() => replayAll(deps));
}

async function replayAll({ deadLetters, proposals, registry }: ReplayDeps): Promise<number> {
  let count = 0;
  let after: LoggedPosition | undefined;
  for (;;) {
    const page = await deadLetters.readWaiting(after, PAGE);
    after = page.at(-1)?.position;
    if (after === undefined) return count;
    const known = page.filter(({ proposal }) => 'value' in checkProposal(registry, proposal));
    if (known.length === 0) continue;
    await proposals.append(known.map(({ proposal }) => proposal));
    await deadLetters.markReplayed(known.map(({ position }) => position));
    count += known.length;
  }
}
