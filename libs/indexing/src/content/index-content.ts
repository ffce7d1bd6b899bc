import type { ChangeKey } from '@stratalog/domain';
import type { Batch, SubscriptionStatus } from '@stratalog/ports';
import type { FillEnd, FillOptions } from '../build/index-build';

/** How a kind of index gets and keeps its content; `IndexFollower` decides when. */
export interface IndexContent<Index> {
  readonly build: ContentBuild<Index>;
  readonly guard: ContentGuard<Index>;
  /**
   * Makes the function that applies the first changes of batches of the change log to a version, and moves its checkpoint past them. It returns
   * the changes that are left; `undefined` when there are none.
   */
  applyTo(index: Index): (batch: Batch<ChangeKey>) => Promise<Batch<ChangeKey> | undefined>;
}

interface ContentBuild<Index> {
  /** How far the build is, for the health report; empty while nothing is filled. */
  readonly progress: string;
  /**
   * Fills a version, or continues where another process left it, until `signal` aborts or an operator cancels. Waits while another
   * process fills it.
   */
  fill(target: Index, options: FillOptions): Promise<FillEnd>;
  /** True while `target` is to replace the live version, or has done so. */
  isRequested(target: Index): Promise<boolean>;
}

interface ContentGuard<Index> {
  /**
   * Begins with an index version. `unindexable`: how many entries its build could not index; absent when another process built
   * it, and the first comparison decides.
   */
  begin(unindexable?: number): void;
  status(): SubscriptionStatus;
  /** Compares index and store when that is due. `unusable`: another index version must replace this one. */
  check(index: Index, signal: AbortSignal): Promise<'usable' | 'unusable'>;
}
