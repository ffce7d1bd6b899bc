import { StratalogError, covers, type ChangeKey, type PartitionSequences } from '@stratalog/model';
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
import { IndexGuard, type GuardedDeps } from './index-guard';

export interface FollowedIndex<Entry, Index extends DerivedIndex<Entry>> extends GuardedDeps<Entry> {
  /** Who reads the change log: `indexer`. */
  readonly reader: string;
  readonly changes: ChangeLog;
  readonly indexes: IndexVersions<Index>;
  /** Fingerprint of everything that turns an entity into its entry. */
  readonly mapping: string;
  /** Whether a change can make an entry another one; those of which it cannot cost nothing. */
  readonly concerns: (change: ChangeKey) => boolean;
}

/** Changes handled at once; several of one urn cost one entry. */
const MAX_CHANGES = 1_600;
const RETRY_DELAY_MS = 500;
/** Whether the index that is followed is still the live one is looked at this often. */
const LOOK_DELAY_MS = 1_000;
/** How far the building is, is noted this often. */
const NOTE_DELAY_MS = 1_000;
/** A replaced index is swept at the next look of this kind, and at each start. */
const SWEEP_DELAY_MS = 180_000;

/**
 * Keeps an index a function of the store.
 *
 * At its start it looks at the live index. One made from the same store and by the same rules is followed on. Otherwise a new one is
 * filled beside it, while the old one goes on answering, and takes its place once it has everything that the store had when
 * the filling ended. The old one has stood still since before that; and to wait until nothing at all is missing would be to wait
 * until nobody writes. Until an index of this process is live the status is `starting`.
 *
 * It looks again and again whether the index is still there. One that was lost, or that somebody asked to have built anew, is built as at
 * a start; one that lacks entries is filled up by the `IndexGuard`.
 */
export class IndexFollower<
  Entry extends { readonly urn: string },
  Index extends DerivedIndex<Entry>,
> implements Subscription {
  private isLive = false;
  private building = '';
  private lastTrouble = '';
  private readonly guard: IndexGuard<Entry>;
  private log: Subscription | undefined;
  private readonly rounds = new PollLoop({
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
  private sweepTimer: NodeJS.Timeout | undefined;

  constructor(private readonly followed: FollowedIndex<Entry, Index>) {
    this.guard = new IndexGuard(followed);
  }

  /** Resolves at once: filling an index may take minutes. */
  start(): Promise<void> {
    return this.rounds.start();
  }

  async stop(): Promise<void> {
    await this.rounds.stop();
    clearTimeout(this.sweepTimer);
    await this.stopLog();
  }

  status(): SubscriptionStatus {
    const status = this.rounds.status();
    if (status.state !== 'running') return status;
    if (!this.isLive || this.log === undefined)
      return { state: 'starting', reason: `building the ${this.followed.indexName}${this.building}` };
    const followed = this.log.status();
    return followed.state === 'running' ? this.guard.status() : followed;
  }

  private async follow(signal: AbortSignal): Promise<Index> {
    const { indexes, changes, reader, store } = this.followed;
    await indexes.sweep();
    const identity = this.identity();
    const live = await indexes.live();
    this.isLive = live !== undefined && isSame(live.identity, identity);
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
    const counts = await this.followed.store.countEntities();
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    let notedAt = performance.now();
    const onPage = async (done: number): Promise<void> => {
      this.building = `: ${String(done)} of ${String(total)} entities`;
      if (performance.now() < notedAt + NOTE_DELAY_MS) return;
      notedAt = performance.now();
      await target.noteProgress({ done, total });
    };
    await rebuildIndex(this.followed, target, { signal, onPage });
    this.building = '';
  }

  private async untilReplaced(target: Index, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (await this.isReplaced(target)) return;
        if (this.isLive && (await this.guard.look(target, signal)) === 'unusable') {
          await this.giveUp(target);
          return;
        }
      } catch (error) {
        // While store or index is away the log says so.
        this.note(error);
      }
      await pause(LOOK_DELAY_MS, signal);
    }
  }

  /**
   * True when the live index is another one made from the same: two processes that start at once each fill one, and the last to promote
   * wins. The other must follow that one, or nobody would once the winner ends. True also when the index is gone, or is to be replaced.
   */
  private async isReplaced(target: Index): Promise<boolean> {
    const { isLive, followed } = this;
    const identity = this.identity();
    const live = await followed.indexes.live();
    if (live !== undefined && live.name !== target.name) return isSame(live.identity, identity);
    if (!isLive) return this.log?.status().state === 'retrying' && (await this.isLost(target));
    if (live !== undefined) return !isSame(live.identity, identity);
    followed.onNotice(`the ${followed.indexName} is gone, and is built anew`);
    return true;
  }

  /** Whether an index that is not live yet has lost a part. */
  private async isLost(target: Index): Promise<boolean> {
    return (await this.followed.indexes.create(this.identity())).name !== target.name;
  }

  /** One without any entry answers nothing; another goes on answering until the next one is there. */
  private async giveUp(target: Index): Promise<void> {
    const { indexes } = this.followed;
    if ((await target.count()) === 0) await indexes.retire(target);
    else await indexes.requestRebuild();
  }

  /** The cause is for the operator; whoever asks for the health learns less. */
  private note(cause: unknown): void {
    const trouble = String(cause);
    if (trouble !== this.lastTrouble)
      this.followed.onNotice(`the ${this.followed.indexName} cannot be followed now`, cause);
    this.lastTrouble = trouble;
  }

  private async stopLog(): Promise<void> {
    await this.log?.stop();
    this.log = undefined;
  }

  private identity(): IndexIdentity {
    const { storeId, epoch } = this.followed.store.identity;
    return { storeId, epoch, mapping: this.followed.mapping };
  }

  private async handle(
    batch: Batch<ChangeKey>,
    target: Index,
    goal: PartitionSequences,
  ): Promise<Verdict<void>> {
    const urns = new Set<string>();
    for (const { content } of batch.records) {
      if (content.kind === 'decoded' && this.followed.concerns(content.value)) urns.add(content.value.urn);
    }
    const position = new Map(batch.ranges.map(({ partition, to }) => [partition, to]));
    try {
      await indexEntities(this.followed, target, [...urns], position);
      await this.activateAt(goal, target);
      this.lastTrouble = '';
      return { kind: 'done', results: [] };
    } catch (error) {
      if (!(error instanceof StratalogError)) throw error;
      this.note(error);
      return { kind: 'retry', cause: error };
    }
  }

  private async activateAt(goal: PartitionSequences, target: Index): Promise<void> {
    if (this.isLive || !covers(await target.position(), goal)) return;
    const { indexes } = this.followed;
    await indexes.activate(target);
    this.isLive = true;
    // Should it fail, the next start sweeps.
    this.sweepTimer = setTimeout(() => void indexes.sweep().catch(() => undefined), SWEEP_DELAY_MS);
    this.sweepTimer.unref();
  }
}

function isSame(a: IndexIdentity, b: IndexIdentity): boolean {
  return a.storeId === b.storeId && a.epoch === b.epoch && a.mapping === b.mapping;
}
