import { NotCaughtUpError, covers, distance, type PartitionOffsets } from '@stratalog/model';
import { SharedWatch, type DerivedIndex } from '@stratalog/ports';

const LOOK_DELAY_MS = 20;

export interface WatchedIndexes {
  live(): Promise<Pick<DerivedIndex<never>, 'position'> | undefined>;
}

/** Tells when a live index includes a position; a look costs the index as much as a small question, so it is shared. */
export class IndexPositionWatch {
  private reached: PartitionOffsets = new Map();
  private readonly watch: SharedWatch<PartitionOffsets, true>;

  /** `name` is how people know the index: `search index`. */
  constructor(
    private readonly name: string,
    indexes: WatchedIndexes,
  ) {
    this.watch = new SharedWatch({
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
  async until(wanted: PartitionOffsets, timeoutMs: number): Promise<void> {
    await this.watch.answerTo(wanted, timeoutMs, () => {
      const behind = String(distance(this.reached, wanted));
      return new NotCaughtUpError(
        `The ${this.name} is ${behind} changes behind the position after ${String(timeoutMs)} ms`,
      );
    });
  }
}
