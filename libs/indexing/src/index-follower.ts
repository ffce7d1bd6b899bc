import {
  StratalogError,
  covers,
  type ChangeKey,
  type EntryProjection,
  type PartitionSequences,
} from '@stratalog/model';
import {
  pause,
  PollLoop,
  type Batch,
  type ChangeLog,
  type Subscription,
  type SubscriptionStatus,
  type DerivedIndex,
  type IndexVersions,
  type IndexIdentity,
  type Verdict,
} from '@stratalog/ports';
import { indexEntities, rebuildIndex } from './index-entities';
import { isSameIdentity } from './same-identity';
import { IndexGuard, type GuardedDeps } from './index-guard';

export interface FollowedIndex<Entry, Index extends DerivedIndex<Entry>>
  extends GuardedDeps<Entry>, EntryProjection<Entry> {
  /** Name of the consumer of the change log: `indexer`. */
  readonly reader: string;
  readonly changes: ChangeLog;
  readonly indexes: IndexVersions<Index>;
}

/** Maximum number of changes per batch; several changes of one urn cost one entry. */
const MAX_CHANGES = 1_600;
const RETRY_DELAY_MS = 500;
/** Interval between checks whether the followed index is still the live one. */
const CHECK_DELAY_MS = 1_000;
/** Interval between notes of the build progress. */
const NOTE_DELAY_MS = 1_000;
/** A replaced index is deleted after this time, and at each start, when no query can use it any more. */
const DELETE_RETIRED_DELAY_MS = 180_000;

/**
 * Keeps an index a function of the store.
 *
 * At its start it reads the live index version. It continues to follow one that was built from the same store with the
 * same mapping. Otherwise it fills a new version, while the old one still answers queries.
 *
 * It activates the new version once it includes every change the store had at the end of the fill. It does not wait
 * for a lag of zero: under constant writes that never comes, and the old version has stood still since the fill began.
 * The status is `starting` until a version of this process is live.
 *
 * It checks every second that the index still exists. It rebuilds one that was lost or for which a rebuild was
 * requested. `IndexGuard` repairs one that lacks entries.
 */
export class IndexFollower<
  Entry extends { readonly urn: string },
  Index extends DerivedIndex<Entry>,
> implements Subscription {
  private isLive = false;
  private building = '';
  private lastFailure = '';
  private readonly guard: IndexGuard<Entry>;
  private log: Subscription | undefined;
  private readonly loop = new PollLoop({
    round: (signal) => this.follow(signal),
    untilNext: async (target, signal) => {
      await this.untilReplaced(target, signal);
      await this.stopLog();
    },
    retryDelayMs: RETRY_DELAY_MS,
    onFailure: async (cause) => {
      this.note(cause);
      await this.stopLog();
    },
  });
  private deleteTimer: NodeJS.Timeout | undefined;

  constructor(private readonly deps: FollowedIndex<Entry, Index>) {
    this.guard = new IndexGuard(deps);
  }

  /** Resolves at once: filling an index may take minutes. */
  start(): Promise<void> {
    return this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    clearTimeout(this.deleteTimer);
    await this.stopLog();
  }

  status(): SubscriptionStatus {
    const status = this.loop.status();
    if (status.state !== 'running') return status;
    if (!this.isLive || this.log === undefined)
      return { state: 'starting', reason: `building the ${this.deps.indexName}${this.building}` };
    const deps = this.log.status();
    return deps.state === 'running' ? this.guard.status() : deps;
  }

  private async follow(signal: AbortSignal): Promise<Index> {
    const { indexes, changes, reader, store } = this.deps;
    await indexes.deleteRetired();
    const identity = this.identity();
    const live = await indexes.live();
    this.isLive = live !== undefined && isSameIdentity(live.identity, identity);
    const target = this.isLive && live !== undefined ? live : await indexes.create(identity);
    this.guard.begin(this.isLive ? 'found' : 'built');
    if (!this.isLive && (await target.position()).size === 0) await this.fill(target, signal);
    if (signal.aborted) return target;
    const goal = await store.head();
    await this.activateAt(goal, target);
    const log = changes.consume(
      { name: reader, after: () => target.position(), maxRecords: MAX_CHANGES },
      (batch) => this.handle(batch, target, goal),
    );
    await log.start();
    this.log = log;
    return target;
  }

  private async fill(target: Index, signal: AbortSignal): Promise<void> {
    const counts = await this.deps.store.countEntities();
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    let notedAt = performance.now();
    const onPage = async (done: number): Promise<void> => {
      this.building = `: ${String(done)} of ${String(total)} entities`;
      if (performance.now() < notedAt + NOTE_DELAY_MS) return;
      notedAt = performance.now();
      await this.deps.indexes.noteProgress(target, { done, total });
    };
    await rebuildIndex(this.deps, target, { signal, onPage });
    this.building = '';
  }

  private async untilReplaced(target: Index, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (await this.isReplaced(target)) return;
        if (this.isLive && (await this.guard.check(target, signal)) === 'unusable') {
          await this.giveUp(target);
          return;
        }
      } catch (error) {
        // The follower retries after the delay, and logs while the store or the index is unavailable.
        this.note(error);
      }
      await pause(CHECK_DELAY_MS, signal);
    }
  }

  /**
   * True when another live version of the same identity, a loss, or a requested rebuild ends the use of `target`.
   *
   * Two processes that start together each fill a version, and the last to activate wins. The other must follow the
   * winner's version. Otherwise no process would follow it after the winner ends.
   */
  private async isReplaced(target: Index): Promise<boolean> {
    const { isLive, deps } = this;
    const identity = this.identity();
    const live = await deps.indexes.live();
    if (live !== undefined && live.name !== target.name) return isSameIdentity(live.identity, identity);
    if (!isLive) return this.log?.status().state === 'retrying' && (await this.isLost(target));
    if (live !== undefined) return !isSameIdentity(live.identity, identity);
    deps.onNotice(`the ${deps.indexName} is gone, and is built anew`);
    return true;
  }

  /** True when a version that is not live yet has lost a part. */
  private async isLost(target: Index): Promise<boolean> {
    return (await this.deps.indexes.create(this.identity())).name !== target.name;
  }

  /** Retires an index without entries. One that has entries still answers queries until its replacement is live. */
  private async giveUp(target: Index): Promise<void> {
    const { indexes } = this.deps;
    if ((await target.count()) === 0) await indexes.retire(target);
    else await indexes.requestRebuild();
  }

  /** Reports the cause to the operator only; the health report shows less. */
  private note(cause: unknown): void {
    const failure = String(cause);
    if (failure !== this.lastFailure)
      this.deps.onNotice(`the ${this.deps.indexName} cannot be followed now`, cause);
    this.lastFailure = failure;
  }

  private async stopLog(): Promise<void> {
    await this.log?.stop();
    this.log = undefined;
  }

  private identity(): IndexIdentity {
    const { storeId, epoch } = this.deps.store.identity;
    return { storeId, epoch, mapping: this.deps.mapping };
  }

  private async handle(
    batch: Batch<ChangeKey>,
    target: Index,
    goal: PartitionSequences,
  ): Promise<Verdict<void>> {
    const urns = new Set<string>();
    for (const { content } of batch.records) {
      if (content.kind === 'decoded' && this.deps.affects(content.value)) urns.add(content.value.urn);
    }
    const position = new Map(batch.ranges.map(({ partition, to }) => [partition, to]));
    try {
      await indexEntities(this.deps, target, [...urns], position);
      await this.activateAt(goal, target);
      this.lastFailure = '';
      return { kind: 'done', results: [] };
    } catch (error) {
      if (!(error instanceof StratalogError)) throw error;
      this.note(error);
      return { kind: 'retry', cause: error };
    }
  }

  private async activateAt(goal: PartitionSequences, target: Index): Promise<void> {
    if (this.isLive || !covers(await target.position(), goal)) return;
    const { indexes } = this.deps;
    await indexes.activate(target);
    this.isLive = true;
    // If this fails, the next start deletes it.
    this.deleteTimer = setTimeout(
      () => void indexes.deleteRetired().catch(() => undefined),
      DELETE_RETIRED_DELAY_MS,
    );
    this.deleteTimer.unref();
  }
}
