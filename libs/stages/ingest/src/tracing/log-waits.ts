import { BatchedPoller } from '@stratalog/concurrency';
import type { ConsumerProgress, ProposalLog } from '@stratalog/ports';

/** Bounds the wait for a write that is decided meanwhile. */
const POLL_DELAY_MS = 20;

/** Waits until the writer has decided what the log holds. All waiters share one look at the log. */
export class LogWaits {
  private readonly poller: BatchedPoller<ConsumerProgress, true>;

  constructor(private readonly deps: { readonly proposals: Pick<ProposalLog, 'progress'> }) {
    const { proposals } = deps;
    this.poller = new BatchedPoller({
      poll: async (starts) => {
        const now = await proposals.progress();
        return starts.map((atStart) => (isPast(now, atStart) ? true : undefined));
      },
      delayMs: POLL_DELAY_MS,
    });
  }

  /** False when the writer does not pass the present end of the log in time. */
  async isDecided(timeoutMs: number): Promise<boolean> {
    const atStart = await this.deps.proposals.progress();
    if (isPast(atStart, atStart)) return true;
    const late = new Error('The writer is behind');
    try {
      return await this.poller.waitFor(atStart, timeoutMs, () => late);
    } catch (error) {
      if (error === late) return false;
      throw error;
    }
  }
}

function isPast(now: ConsumerProgress, atStart: ConsumerProgress): boolean {
  return [...atStart].every(
    ([partition, { endOffset }]) => (now.get(partition)?.committedOffset ?? 0) >= endOffset,
  );
}
