import { setTimeout } from 'node:timers/promises';
import { NotCaughtUpError, covers, distance, type PartitionOffsets } from '@stratalog/model';
import type { SearchIndexes } from '@stratalog/ports';

/** Between two looks at the index while somebody waits. */
const LOOK_DELAY_MS = 20;

interface Waiting {
  readonly wanted: PartitionOffsets;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Tells when the live search index includes a position. All who wait share one look at the index, however many they are: a look
 * costs the index as much as a small search, and who waits must not hold up what they wait for.
 */
export class IndexPositionWatch {
  private readonly waiting = new Set<Waiting>();
  private reached: PartitionOffsets = new Map();
  private isLooking = false;

  constructor(private readonly searchIndexes: Pick<SearchIndexes, 'live'>) {}

  /**
   * Resolves once the index includes `wanted`.
   *
   * **Errors**: `NotCaughtUpError` with how far the index is after `timeoutMs`; whatever the index answers when it cannot be asked.
   */
  async until(wanted: PartitionOffsets, timeoutMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let waiting: Waiting | undefined;
    try {
      await new Promise<void>((settle, fail) => {
        waiting = { wanted, settle, fail };
        this.waiting.add(waiting);
        timer = globalThis.setTimeout(() => {
          fail(this.notYet(wanted, timeoutMs));
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
        this.reached = (await (await this.searchIndexes.live())?.position()) ?? new Map<number, number>();
        for (const each of asked) {
          if (covers(this.reached, each.wanted)) this.settle(each);
        }
      } catch (error) {
        for (const each of asked) each.fail(error);
        for (const each of asked) this.waiting.delete(each);
      }
      if (this.waiting.size > 0) await setTimeout(LOOK_DELAY_MS);
    }
    this.isLooking = false;
  }

  private settle(waiting: Waiting): void {
    this.waiting.delete(waiting);
    waiting.settle();
  }

  private notYet(wanted: PartitionOffsets, timeoutMs: number): NotCaughtUpError {
    const behind = String(distance(this.reached, wanted));
    return new NotCaughtUpError(
      `The search index is ${behind} changes behind the position after ${String(timeoutMs)} ms`,
    );
  }
}
