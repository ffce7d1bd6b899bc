import { NotCaughtUpError, covers, distance, type PartitionSequences } from '@stratalog/model';
import { BatchedPoller, type DerivedIndex } from '@stratalog/ports';

const LOOK_DELAY_MS = 20;

export interface PolledIndexes {
  live(): Promise<Pick<DerivedIndex<never>, 'position'> | undefined>;
}

/** Tells when a live index includes a position; a look costs the index as much as a small question, so it is shared. */
export class CheckpointPoller {
  private reached: PartitionSequences = new Map();
  private readonly watch: BatchedPoller<PartitionSequences, true>;

  /** `name` is how people know the index: `search index`. */
  constructor(
    private readonly name: string,
    indexes: PolledIndexes,
  ) {
    this.watch = new BatchedPoller({
      look: async (questions) => {
        const reached = (await (await indexes.live())?.position()) ?? new Map<number, number>();
        this.reached = reached;
        return questions.map((wanted) => (covers(reached, wanted) ? true : undefined));
      },
      delayMs: LOOK_DELAY_MS,
    });
  }

  /**
   * Resolves once the index includes `wanted`.
   *
   * **Errors**: `NotCaughtUpError` with how far the index is after `timeoutMs`; whatever the index answers when it cannot be asked.
   */
  async until(wanted: PartitionSequences, timeoutMs: number): Promise<void> {
    await this.watch.answerTo(wanted, timeoutMs, () => {
      const behind = String(distance(this.reached, wanted));
      return new NotCaughtUpError(
        `The ${this.name} is ${behind} changes behind the position after ${String(timeoutMs)} ms`,
      );
    });
  }
}
