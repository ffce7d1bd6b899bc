import { UnavailableError } from '@stratalog/model';
import type { LogPosition } from '../logs/proposal-log';
import type { AspectStore, LoggedOutcome, LoggedProposal } from '../stores/aspect-store';
import { BatchedPoller } from './batched-poller';

export type SettledOutcome = Exclude<LoggedOutcome, { kind: 'pending' }>;

const POLL_DELAY_MS = 5;
/** Retry after a failed query; callers keep waiting until their own timeout. **Units**: milliseconds. */
const RETRY_DELAY_MS = 250;

/** Waits for the outcomes of logged proposals. All waiting callers share one query of the store. */
export class OutcomePoller {
  private readonly watch: BatchedPoller<LoggedProposal, SettledOutcome>;

  constructor(store: Pick<AspectStore, 'readOutcomes'>) {
    this.watch = new BatchedPoller({
      poll: async (proposals) => {
        const outcomes = await store.readOutcomes(proposals);
        return outcomes.map((outcome) => (outcome.kind === 'pending' ? undefined : outcome));
      },
      delayMs: POLL_DELAY_MS,
      retryDelayMs: RETRY_DELAY_MS,
    });
  }

  /**
   * Resolves once the writer has applied or rejected the proposal.
   *
   * **Errors**: `UnavailableError` after `timeoutMs`; the proposal stays in the log and is applied later.
   */
  of(proposal: LoggedProposal, timeoutMs: number): Promise<SettledOutcome> {
    return this.watch.waitFor(proposal, timeoutMs, () => notYet(proposal.position, timeoutMs));
  }
}

function notYet({ partition, offset }: LogPosition, timeoutMs: number): UnavailableError {
  return new UnavailableError(
    `The proposal is in the log (partition ${String(partition)}, offset ${String(offset)}) and will be applied, ` +
      `but was not within ${String(Math.round(timeoutMs))} ms`,
    { details: { partition, offset } },
  );
}
