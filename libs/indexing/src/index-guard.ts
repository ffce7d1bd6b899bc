import type { SubscriptionStatus, DerivedIndex } from '@stratalog/ports';
import { compareWithStore, type ComparisonDeps, type Comparison } from './compare-with-store';
import { countUnindexable, repairIndex, type IndexingDeps } from './writing/index-entities';

export interface GuardedDeps<Entry> extends IndexingDeps<Entry>, ComparisonDeps {
  /** Name of the index in messages: `search index`. */
  readonly indexName: string;
  /** Interval between comparisons of index and store. */
  readonly compareEveryMs: number;
  /** Receives messages about the index for the operator. */
  readonly onNotice: (message: string, cause?: unknown) => void;
}

/** Delay before an index that lags too far is compared again. */
const BEHIND_DELAY_MS = 10_000;

/**
 * Detects that a live index lost entries, by comparing their number with the store's, and repairs it.
 *
 * It compares at a start, before the status is `running`, and then at intervals. The index answers queries during a
 * repair. Entities that a build or a repair could not index are missing too, so their number is tolerated.
 */
export class IndexGuard<Entry extends { readonly urn: string }> {
  private dueMs = 0;
  private unindexable = 0;
  private activity: string | undefined;

  constructor(private readonly deps: GuardedDeps<Entry>) {}

  /**
   * Begins with an index version. `unindexable`: how many entities its build could not index; absent when another process built
   * it, and the first comparison decides.
   */
  begin(unindexable?: number): void {
    this.dueMs = 0;
    this.unindexable = unindexable ?? 0;
    this.activity =
      unindexable === undefined ? `comparing the ${this.deps.indexName} with the store` : undefined;
  }

  status(): SubscriptionStatus {
    return this.activity === undefined ? { state: 'running' } : { state: 'starting', reason: this.activity };
  }

  /**
   * Compares index and store when that is due, and repairs. `unusable`: another index version must replace this one.
   *
   * **Errors**: `UnavailableError` when the store or the index is unavailable; then the comparison is due again.
   */
  async check(index: DerivedIndex<Entry>, signal: AbortSignal): Promise<'usable' | 'unusable'> {
    if (performance.now() < this.dueMs) return 'usable';
    const comparison = await compareWithStore(this.deps, index, signal);
    if (signal.aborted) return 'usable';
    if (this.isUnusable(comparison)) return 'unusable';
    if (comparison.kind === 'lacking' && !(await this.repairIfNeeded(comparison, index, signal)))
      return 'unusable';
    this.activity = undefined;
    this.dueMs =
      performance.now() + (comparison.kind === 'behind' ? BEHIND_DELAY_MS : this.deps.compareEveryMs);
    return 'usable';
  }

  private isUnusable(comparison: Comparison): boolean {
    const { indexName, onNotice } = this.deps;
    if (comparison.kind === 'surplus') {
      const { entries, expected } = comparison;
      onNotice(
        `the ${indexName} has ${String(entries)} entries where the store has ${String(expected)} entities, and is rebuilt`,
      );
      return true;
    }
    if (comparison.kind !== 'lacking') return false;
    const { missing, expected } = comparison;
    if (missing < expected || missing <= this.unindexable) return false;
    onNotice(`the ${indexName} has lost all of its ${String(expected)} entries, and is rebuilt`);
    return true;
  }

  /**
   * False when entries that can be projected are still missing after the repair. A search engine remembers the version
   * of a deleted document for a while, and rejects older writes.
   */
  private async repairIfNeeded(
    { missing, expected }: Extract<Comparison, { kind: 'lacking' }>,
    index: DerivedIndex<Entry>,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (missing <= this.unindexable) return true;
    const { indexName, onNotice } = this.deps;
    const lack = `${String(missing)} of ${String(expected)} entries`;
    this.activity = `repairing the ${indexName}, which lacks ${lack}`;
    onNotice(`the ${indexName} lacks ${lack}; they are written again`);
    this.unindexable = await countUnindexable(this.deps, (deps) => repairIndex(deps, index, { signal }));
    const after = await compareWithStore(this.deps, index, signal);
    if (signal.aborted || after.kind !== 'lacking' || after.missing <= this.unindexable) {
      onNotice(`the ${indexName} was repaired; ${String(this.unindexable)} entities cannot be indexed`);
      return true;
    }
    onNotice(`the ${indexName} still lacks ${String(after.missing)} entries, and is rebuilt`);
    return false;
  }
}
