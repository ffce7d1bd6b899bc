import { NotCaughtUpError, covers, distance, type PartitionSequences } from '@stratalog/model';
import { BatchedPoller, type AspectStore, type DerivedIndex, type Notifier } from '@stratalog/ports';

/** Delay between two polls; it bounds the wait for an index that another process follows. */
const POLL_DELAY_MS = 20;

export interface PolledIndexes {
  readonly moves: Notifier;
  live(): Promise<Pick<DerivedIndex<never>, 'position' | 'identity'> | undefined>;
}

/**
 * Waits until a live index includes a position. All waiters share one poll, because a poll costs the index as much as a
 * small query.
 */
export class CheckpointPoller {
  private reached: PartitionSequences = new Map();
  private readonly poller: BatchedPoller<PartitionSequences, true>;

  /** `name` is the name of the index in messages: `search index`. */
  constructor(
    private readonly name: string,
    indexes: PolledIndexes,
    private readonly store: Pick<AspectStore, 'identity'>,
  ) {
    this.poller = new BatchedPoller({
      poll: async (positions) => {
        const live = await indexes.live();
        // Numbers of a former epoch say nothing about this one.
        const isOfEpoch = live?.identity.epoch === this.store.identity.epoch;
        const reached = isOfEpoch ? await live.position() : new Map<number, number>();
        this.reached = reached;
        return positions.map((wanted) => (covers(reached, wanted) ? true : undefined));
      },
      delayMs: POLL_DELAY_MS,
      news: indexes.moves,
    });
  }

  /**
   * Resolves once the index includes `wanted`.
   *
   * **Errors**: `NotCaughtUpError` with the lag of the index after `timeoutMs`; any error of the index when a poll
   * fails.
   */
  async until(wanted: PartitionSequences, timeoutMs: number): Promise<void> {
    await this.poller.waitFor(wanted, timeoutMs, () => {
      const behind = String(distance(this.reached, wanted));
      return new NotCaughtUpError(
        `The ${this.name} is ${behind} changes behind the position after ${String(timeoutMs)} ms`,
      );
    });
  }
}
