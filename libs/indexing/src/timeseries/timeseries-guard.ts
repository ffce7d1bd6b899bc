import { covers, type PartitionSequences } from '@stratalog/domain';
import type { AspectStore, SubscriptionStatus, TimeseriesIndex, TimeseriesSource } from '@stratalog/ports';

export interface TimeseriesGuardDeps {
  readonly store: Pick<AspectStore, 'readPartitionSequences'>;
  readonly source: Pick<TimeseriesSource, 'countValues'>;
  readonly aspectNames: readonly string[];
  readonly indexName: string;
  /** Interval between comparisons of index and store. */
  readonly compareEveryMs: number;
  readonly onNotice: (message: string, cause?: unknown) => void;
}

/** Shortest delay before an index is compared again when the store changed during a comparison, or a server failed. */
const AGAIN_DELAY_MS = 10_000;
/** A comparison reads all values; that delay is this many times as long as the comparison took. */
const DELAY_PER_DURATION = 20;

/**
 * Detects that a live index of timeseries values lost entries, or has some that the store has not, by their numbers.
 *
 * Values are deleted as well as written, so the numbers are compared only while the store is at rest, from one check to the
 * next and during the comparison. An index with another number is rebuilt.
 */
export class TimeseriesGuard {
  private dueMs = 0;
  /** The partition sequences of the store at the last check. */
  private lastSequences: PartitionSequences = new Map();

  constructor(private readonly deps: TimeseriesGuardDeps) {}

  begin(): void {
    this.dueMs = 0;
  }

  /** Statistics come from the store while the index is not usable, so a comparison delays nothing. */
  status(): SubscriptionStatus {
    return { state: 'running' };
  }

  /** **Errors**: `UnavailableError` when the store or the index is unavailable; then the comparison is due again after a while. */
  async check(index: TimeseriesIndex): Promise<'usable' | 'unusable'> {
    if (performance.now() < this.dueMs) return 'usable';
    const { store, indexName, onNotice } = this.deps;
    const sequences = await store.readPartitionSequences();
    const wasAtRest = covers(this.lastSequences, sequences);
    this.lastSequences = sequences;
    if (!wasAtRest || !covers(await index.position(), sequences)) return 'usable';
    const { entries, expected, isAtRest } = await this.count(index, sequences);
    if (!isAtRest || entries === expected) return 'usable';
    onNotice(
      `the ${indexName} has ${String(entries)} entries where the store has ${String(expected)} values, and is rebuilt`,
    );
    return 'unusable';
  }

  /** Counts both sides, and says when to do so again. */
  private async count(
    index: TimeseriesIndex,
    sequences: PartitionSequences,
  ): Promise<{ readonly entries: number; readonly expected: number; readonly isAtRest: boolean }> {
    const { store, source, aspectNames, compareEveryMs } = this.deps;
    const beganAt = performance.now();
    let isAtRest = false;
    try {
      const [entries, expected] = [await index.count(), await source.countValues(aspectNames)];
      isAtRest = covers(sequences, await store.readPartitionSequences());
      return { entries, expected, isAtRest };
    } finally {
      const now = performance.now();
      const againMs = Math.max(AGAIN_DELAY_MS, (now - beganAt) * DELAY_PER_DURATION);
      this.dueMs = now + (isAtRest ? compareEveryMs : againMs);
    }
  }
}
