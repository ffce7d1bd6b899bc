import { setTimeout } from 'node:timers/promises';
import { UnavailableError } from '@stratalog/model';
import type { AspectStore, LoggedOutcome, LoggedProposal, LogPosition } from '@stratalog/ports';

export type SettledOutcome = Exclude<LoggedOutcome, { kind: 'pending' }>;

/** Between two looks at the store while somebody waits. */
const LOOK_DELAY_MS = 5;
/** After a look that failed; who waits goes on waiting until their time is over. */
const RETRY_DELAY_MS = 250;

interface Waiting {
  readonly proposal: LoggedProposal;
  readonly settle: (outcome: SettledOutcome) => void;
}

/** Tells what became of logged proposals. All who wait share one look at the store, however many they are. */
export class OutcomeWatch {
  private readonly waiting = new Set<Waiting>();
  private isLooking = false;

  constructor(private readonly store: Pick<AspectStore, 'outcomesOf'>) {}

  /**
   * Resolves once the writer has dealt with the proposal.
   *
   * **Errors**: `UnavailableError` after `timeoutMs`; the proposal stays in the log and is applied later.
   */
  async of(proposal: LoggedProposal, timeoutMs: number): Promise<SettledOutcome> {
    let timer: NodeJS.Timeout | undefined;
    let waiting: Waiting | undefined;
    try {
      return await new Promise<SettledOutcome>((settle, fail) => {
        waiting = { proposal, settle };
        this.waiting.add(waiting);
        timer = globalThis.setTimeout(() => {
          fail(notYet(proposal.position, timeoutMs));
        }, timeoutMs);
        if (!this.isLooking) void this.look();
      });
    } finally {
      clearTimeout(timer);
      if (waiting !== undefined) this.waiting.delete(waiting);
    }
  }

  private async look(): Promise<void> {
    this.isLooking = true;
    while (this.waiting.size > 0) {
      const asked = [...this.waiting];
      try {
        const outcomes = await this.store.outcomesOf(asked.map(({ proposal }) => proposal));
        asked.forEach((each, at) => {
          const outcome = outcomes[at];
          if (outcome === undefined || outcome.kind === 'pending') return;
          this.waiting.delete(each);
          each.settle(outcome);
        });
        await setTimeout(LOOK_DELAY_MS);
      } catch {
        await setTimeout(RETRY_DELAY_MS);
      }
    }
    this.isLooking = false;
  }
}

function notYet({ partition, offset }: LogPosition, timeoutMs: number): UnavailableError {
  return new UnavailableError(
    `The proposal is in the log (partition ${String(partition)}, offset ${String(offset)}) and will be applied, ` +
      `but was not within ${String(Math.round(timeoutMs))} ms`,
    { details: { partition, offset } },
  );
}
