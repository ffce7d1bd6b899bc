import { pause, type AspectStore, type BuildCheckpoint, type IndexVersions } from '@stratalog/ports';
import type { BuildOptions } from './index-entities';

export interface IndexBuildDeps<Index> {
  readonly store: Pick<AspectStore, 'countEntities'>;
  readonly indexes: IndexVersions<Index>;
  /** Fills a version, or the rest of it, and returns the number of entries that could not be indexed. */
  readonly fillIndex: (target: Index, options: BuildOptions) => Promise<number>;
}

/** Interval between notes of the progress; after each, the build obeys operators. */
const NOTE_DELAY_MS = 1_000;

/** Fills new index versions, notes the progress for operators and for other processes, and obeys their requests. */
export class IndexBuild<Index extends { readonly name: string }> {
  /** How far the build is, for the health report; empty while nothing is filled. */
  progress = '';

  constructor(private readonly deps: IndexBuildDeps<Index>) {}

  /**
   * Fills `target`, or continues where another process left it, until `signal` aborts or an operator cancels. Returns the number of
   * entities that could not be indexed, and `undefined` when it is cancelled. `isRequested`: an operator requested it, in place of a version that is live.
   */
  async fill(
    target: Index,
    { signal, isRequested }: { readonly signal: AbortSignal; readonly isRequested: boolean },
  ): Promise<number | undefined> {
    const { indexes } = this.deps;
    const cancelling = new AbortController();
    const { building } = await indexes.state();
    const from = building?.name === target.name ? building.progress : undefined;
    const total = from?.resume === undefined ? await this.countEntities() : from.total;
    let notedAt = -NOTE_DELAY_MS;
    const onPage = async (done: number, resume: BuildCheckpoint): Promise<void> => {
      this.report(done, total);
      if (performance.now() < notedAt + NOTE_DELAY_MS) return;
      await indexes.noteProgress(target, { done, total, resume });
      if (isRequested && !(await this.isWanted(target, signal))) cancelling.abort();
      notedAt = performance.now();
    };
    const unindexable = await this.deps.fillIndex(target, {
      signal: AbortSignal.any([signal, cancelling.signal]),
      from,
      onPage,
    });
    this.progress = '';
    if (cancelling.signal.aborted) return undefined;
    if (!signal.aborted) await indexes.noteProgress(target, { done: total, total });
    return unindexable;
  }

  /** True while `target` is to replace the live version, or has done so. */
  async isRequested(target: Index): Promise<boolean> {
    const { live } = await this.deps.indexes.state();
    return live === undefined || live.isOutdated || live.name === target.name;
  }

  /** Waits as long as the build is on hold; false when it is cancelled. */
  private async isWanted(target: Index, signal: AbortSignal): Promise<boolean> {
    while (await this.isRequested(target)) {
      const { live } = await this.deps.indexes.state();
      if (live?.isHeld !== true || signal.aborted) return true;
      await pause(NOTE_DELAY_MS, signal);
    }
    return false;
  }

  private report(done: number, total: number): void {
    this.progress = `: ${String(done)} of ${String(total)} entities`;
  }

  private async countEntities(): Promise<number> {
    const counts = await this.deps.store.countEntities();
    return counts.reduce((sum, { count }) => sum + count, 0);
  }
}
