export interface CommitLingerOptions {
  /** Maximum interval from the start of a commit for which the next one waits for more proposals. */
  readonly maxLingerMs: number;
  /** Number of proposals with which a commit waits no longer: more of them make each one hardly cheaper. */
  readonly enoughProposals: number;
}

/**
 * Decides how long a commit waits for proposals to share it.
 *
 * A commit of one proposal costs about as much as a commit of five. So it waits for as many proposals as were in hand at the
 * end of the former commit: those in it, and those that arrived during it. A single caller never waits, because it sends its next
 * proposal after the answer. Several callers wait for one another, and a steady stream makes fewer and larger commits.
 */
export class CommitLinger {
  private startedAt = -Infinity;
  private expected = 1;
  private wake: (() => void) | undefined;

  constructor(private readonly options: CommitLingerOptions) {}

  /** Resolves when a commit may start with the waiting proposals, which `waiting` counts. */
  async turn(waiting: () => number): Promise<void> {
    const { maxLingerMs, enoughProposals } = this.options;
    const isEnough = (): boolean => waiting() >= Math.min(this.expected, enoughProposals);
    const waitMs = this.startedAt + maxLingerMs - performance.now();
    if (waitMs > 0 && !isEnough()) await this.until(isEnough, waitMs);
    this.startedAt = performance.now();
  }

  /** Reports that another proposal waits. */
  proposalAdded(): void {
    this.wake?.();
  }

  /** Reports the end of a commit, and how many proposals wait then. */
  committed(proposals: number, waiting: number): void {
    this.expected = proposals + waiting;
  }

  private async until(isEnough: () => boolean, waitMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.wake = () => {
        if (!isEnough()) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = undefined;
  }
}
