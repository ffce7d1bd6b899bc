import type { SubscriptionStatus, DerivedIndex } from '@stratalog/ports';
import { compareWithStore, type ComparedParts, type Comparison } from './compare-with-store';
import { repairIndex, type IndexingDeps } from './index-entities';

export interface GuardedDeps<Entry> extends IndexingDeps<Entry>, ComparedParts {
  /** How people know the index: `search index`. */
  readonly indexName: string;
  /** From one comparison of index and store to the next. */
  readonly compareEveryMs: number;
  /** Told what an operator should know of the index. */
  readonly onNotice: (message: string, cause?: unknown) => void;
}

/** An index that is too far behind is compared again after this time. */
const BEHIND_DELAY_MS = 10_000;

/**
 * Notices that a live index lost entries, by comparing their number with the store's: at a start before the status is `running`, then from
 * time to time. Entries that are missing are written again while the index answers.
 *
 * Entities that cannot be indexed are missing too. After a building or a repair whatever is missing still counts as such, until more is.
 */
export class IndexGuard<Entry extends { readonly urn: string }> {
  private dueMs = 0;
  private unindexable = 0;
  private isBuilt = false;
  private doing: string | undefined;

  constructor(private readonly parts: GuardedDeps<Entry>) {}

  /** `found`: an index of an earlier process, of which nothing is known. `built`: it was, or will be, filled by this one. */
  begin(how: 'found' | 'built'): void {
    this.dueMs = 0;
    this.unindexable = 0;
    this.isBuilt = how === 'built';
    this.doing = this.isBuilt ? undefined : `comparing the ${this.parts.indexName} with the store`;
  }

  status(): SubscriptionStatus {
    return this.doing === undefined ? { state: 'running' } : { state: 'starting', reason: this.doing };
  }

  /**
   * Compares when it is time to, and repairs. `unusable` means that another index must take the place of this one.
   *
   * **Errors**: `UnavailableError` when store or index is away; it is time again then.
   */
  async look(index: DerivedIndex<Entry>, signal: AbortSignal): Promise<'usable' | 'unusable'> {
    if (performance.now() < this.dueMs) return 'usable';
    const comparison = await compareWithStore(this.parts, index, signal);
    if (signal.aborted) return 'usable';
    if (this.isUnusable(comparison)) return 'unusable';
    if (comparison.kind === 'lacking' && !(await this.isMended(comparison, index, signal))) return 'unusable';
    this.isBuilt = false;
    this.doing = undefined;
    this.dueMs =
      performance.now() + (comparison.kind === 'behind' ? BEHIND_DELAY_MS : this.parts.compareEveryMs);
    return 'usable';
  }

  private isUnusable(comparison: Comparison): boolean {
    const { indexName, onNotice } = this.parts;
    if (comparison.kind === 'surplus') {
      const { entries, expected } = comparison;
      onNotice(
        `the ${indexName} has ${String(entries)} entries where the store has ${String(expected)} entities, and is built anew`,
      );
      return true;
    }
    if (comparison.kind !== 'lacking' || this.isBuilt) return false;
    const { missing, expected } = comparison;
    if (missing < expected || missing <= this.unindexable) return false;
    onNotice(`the ${indexName} has lost all of its ${String(expected)} entries, and is built anew`);
    return true;
  }

  /** False when entries are missing that could be made and are not there: a search engine remembers what was deleted for a while. */
  private async isMended(
    { missing, expected }: Extract<Comparison, { kind: 'lacking' }>,
    index: DerivedIndex<Entry>,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (this.isBuilt) this.unindexable = missing;
    if (missing <= this.unindexable) return true;
    const { indexName, onNotice } = this.parts;
    const lack = `${String(missing)} of ${String(expected)} entries`;
    this.doing = `repairing the ${indexName}, which lacks ${lack}`;
    onNotice(`the ${indexName} lacks ${lack}; they are written again`);
    this.unindexable = await this.repair(index, signal);
    const after = await compareWithStore(this.parts, index, signal);
    if (signal.aborted || after.kind !== 'lacking' || after.missing <= this.unindexable) {
      onNotice(`the ${indexName} was repaired; ${String(this.unindexable)} entities cannot be indexed`);
      return true;
    }
    onNotice(`the ${indexName} still lacks ${String(after.missing)} entries, and is built anew`);
    return false;
  }

  /** Answers how many entities cannot be indexed. */
  private async repair(index: DerivedIndex<Entry>, signal: AbortSignal): Promise<number> {
    const unindexable = new Set<string>();
    const onUnindexable = (urn: string, cause: unknown): void => {
      unindexable.add(urn);
      this.parts.onUnindexable(urn, cause);
    };
    await repairIndex({ ...this.parts, onUnindexable }, index, { signal });
    return unindexable.size;
  }
}
