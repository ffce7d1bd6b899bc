import { asReplay } from '@stratalog/domain';
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
 * **Order and repeats**: per urn as they were logged. A crash may log some again; the commit that applies one settles its
 * letter, so the others change nothing.
 */
export function replayDeadLetters(deps: ReplayDeps): Promise<number> {
  return deps.deadLetters.exclusively(() => replayAll(deps));
}

async function replayAll({ deadLetters, proposals, registry }: ReplayDeps): Promise<number> {
  let count = 0;
  let after: LoggedPosition | undefined;
  for (;;) {
    const page = await deadLetters.readOpen({ isWaiting: true }, after, PAGE);
    after = page.at(-1)?.position;
    if (after === undefined) return count;
    const known = page.flatMap(({ position: letter, entry, isLogged }) => {
      // Only single proposals, not batches, are rejected with a code.
      if (isLogged || entry === undefined || 'proposals' in entry) return [];
      return 'value' in checkProposal(registry, entry) ? [{ letter, entry }] : [];
    });
    if (known.length === 0) continue;
    await proposals.append(known.map(({ letter, entry }) => asReplay(entry, { letter })));
    await deadLetters.markLogged(known.map(({ letter }) => letter));
    count += known.length;
  }
}
