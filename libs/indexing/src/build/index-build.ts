import { randomUUID } from 'node:crypto';
import { pause } from '@stratalog/concurrency';
import {
  ReplacedVersionError,
  type AspectStore,
  type BuildCheckpoint,
  type IndexVersions,
  type VersionedIndex,
} from '@stratalog/ports';
import { BuildLease } from './build-lease';
import type { BuildOptions } from './fill-by-urns';

export interface IndexBuildDeps<Index> {
  readonly store: Pick<AspectStore, 'countEntities'>;
  readonly indexes: IndexVersions<Index>;
  /** Fills a version, or the rest of it, and returns the number of entries that could not be indexed. */
  readonly fillIndex: (target: Index, options: BuildOptions) => Promise<number>;
}

export interface FillOptions {
  readonly signal: AbortSignal;
  /** An operator requested the version, in place of one that is live. */
  readonly isRequested: boolean;
}

export type FillEnd =
  | {
      readonly kind: 'filled';
      /** Number of entries that could not be indexed. */ readonly unindexable: number;
    }
  /** Another process has filled the version. */
  | { readonly kind: 'filled elsewhere' }
  /** The version is not wanted any more. */
  | { readonly kind: 'cancelled' }
  /** The signal has aborted. */
  | { readonly kind: 'stopped' };

/** Interval between checks whether operators hold the build or give it up. */
const OBEY_DELAY_MS = 1_000;
/**
 * Longest time between reports of the progress, and most entities between them, as a share of all: a crash repeats these and a page. A heartbeat
 * costs as much as a small write, so not every page of a large build has one.
 */
const PROGRESS_DELAY_MS = 250;
const PROGRESS_SHARE = 0.005;

/**
 * Fills new index versions, one process at a time; reports the progress for operators and for the process that continues after a
 * loss; and obeys the requests of operators.
 */
export class IndexBuild<Index extends VersionedIndex<never>> {
  /** How far the build is, for the health report; empty while nothing is filled. */
  progress = '';
  private readonly builder = randomUUID();

  constructor(private readonly deps: IndexBuildDeps<Index>) {}

  /**
   * Fills `target`, or continues where another process left it, until `signal` aborts or an operator cancels. Waits while another
   * process fills it.
   */
  async fill(target: Index, options: FillOptions): Promise<FillEnd> {
    const { indexes } = this.deps;
    const claim = { indexes, target, builder: this.builder };
    try {
      for (;;) {
        const lease = await BuildLease.take(claim, {
          signal: options.signal,
          onProgress: ({ done, total }) => {
            this.report(done, total);
          },
        });
        if (lease === 'filled') return { kind: 'filled elsewhere' };
        if (lease === 'gone') return { kind: 'cancelled' };
        if (lease === undefined) return { kind: 'stopped' };
        const end = await this.fillWith(lease, target, options);
        if (end !== undefined) return end;
      }
    } catch (error) {
      // The operator cancelled after the last check of the request, or another version has become live.
      if (error instanceof ReplacedVersionError) return { kind: 'cancelled' };
      throw error;
    } finally {
      this.progress = '';
    }
  }

  /** True while `target` is to replace the live version, or has done so. */
  async isRequested(target: Index): Promise<boolean> {
    const { live } = await this.deps.indexes.state();
    return live === undefined || live.isOutdated || live.name === target.name;
  }

  /** `undefined` when the lease is lost. */
  private async fillWith(
    lease: BuildLease<Index>,
    target: Index,
    { signal, isRequested }: FillOptions,
  ): Promise<FillEnd | undefined> {
    const cancelling = new AbortController();
    const { from, lost } = lease;
    try {
      const total = from?.resume === undefined ? await this.countEntities() : from.total;
      let sent = { at: -PROGRESS_DELAY_MS, done: 0 };
      let obeyedAt = -OBEY_DELAY_MS;
      const onPage = async (done: number, resume: BuildCheckpoint): Promise<void> => {
        this.report(done, total);
        if (done - sent.done < total * PROGRESS_SHARE && performance.now() < sent.at + PROGRESS_DELAY_MS)
          return;
        await lease.beat({ done, total, resume });
        sent = { at: performance.now(), done };
        if (!isRequested || performance.now() < obeyedAt + OBEY_DELAY_MS) return;
        if (!(await this.isWanted(target, AbortSignal.any([signal, lost])))) cancelling.abort();
        obeyedAt = performance.now();
      };
      const unindexable = await this.deps.fillIndex(target, {
        signal: AbortSignal.any([signal, lost, cancelling.signal]),
        from,
        onPage,
      });
      if (cancelling.signal.aborted) return { kind: 'cancelled' };
      if (signal.aborted) return { kind: 'stopped' };
      if (lost.aborted) return undefined;
      await lease.release({ done: total, total });
      return { kind: 'filled', unindexable };
    } finally {
      // When this fails, others take the build over as soon as it was silent for a while.
      await lease.release().catch(() => undefined);
    }
  }

  /** Waits as long as the build is on hold; false when it is cancelled. */
  private async isWanted(target: Index, signal: AbortSignal): Promise<boolean> {
    while (await this.isRequested(target)) {
      const { live } = await this.deps.indexes.state();
      if (live?.isHeld !== true || signal.aborted) return true;
      await pause(OBEY_DELAY_MS, signal);
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
