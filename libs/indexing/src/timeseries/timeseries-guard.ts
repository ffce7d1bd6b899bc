import { covers, type PartitionSequences } from '@stratalog/model';
import type { AspectStore, SubscriptionStatus, TimeseriesIndex, TimeseriesSource } from '@stratalog/ports';

export interface TimeseriesGuardDeps {
  readonly store: Pick<AspectStore, 'head'>;
  readonly source: Pick<TimeseriesSource, 'countValues'>;
  readonly aspectNames: readonly string[];
  readonly indexName: string;
  /** Interval between comparisons of index and store. */
  readonly compareEveryMs: number;
  readonly onNotice: (message: string, cause?: unknown) => void;
}

/** Delay before an index is compared again after the store changed during a comparison, which reads all values. */
const MOVED_DELAY_MS = 10_000;

/**
 * Detects that a live index of timeseries values lost entries, or has some that the store has not, by their numbers.
 *
 * Values are deleted as well as written, so the numbers are compared only while the store is at rest, from one check to the
 * next and during the comparison. An index with another number is built anew.
 */
export class TimeseriesGuard {
  private dueMs = 0;
  /** The head of the store at the last check. */
  private lastHead: PartitionSequences = new Map();
  private unindexable = 0;

  constructor(private readonly deps: TimeseriesGuardDeps) {}

  begin(unindexable = 0): void {
    this.dueMs = 0;
    this.unindexable = unindexable;
  }

  /** Statistics come from the store while the index is not usable, so a comparison delays nothing. */
  status(): SubscriptionStatus {
    return { state: 'running' };
  }

  /** **Errors**: `UnavailableError` when the store or the index is unavailable; then the comparison is due again. */
  async check(index: TimeseriesIndex): Promise<'usable' | 'unusable'> {
    if (performance.now() < this.dueMs) return 'usable';
    const { store, source, aspectNames, compareEveryMs, indexName, onNotice } = this.deps;
    const head = await store.head();
    const wasAtRest = covers(this.lastHead, head);
    this.lastHead = head;
    if (!wasAtRest || !covers(await index.position(), head)) return 'usable';
    const [entries, expected] = [await index.count(), await source.countValues(aspectNames)];
    const isAtRest = covers(head, await store.head());
    this.dueMs = performance.now() + (isAtRest ? compareEveryMs : MOVED_DELAY_MS);
    if (!isAtRest || Math.abs(expected - entries) <= this.unindexable) return 'usable';
    onNotice(
      `the ${indexName} has ${String(entries)} entries where the store has ${String(expected)} values, and is built anew`,
    );
    return 'unusable';
  }
}
