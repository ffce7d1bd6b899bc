import {
  StratalogError,
  UnavailableError,
  covers,
  type ChangeKey,
  type PartitionSequences,
} from '@stratalog/domain';
import { pause, PollLoop } from '@stratalog/concurrency';
import {
  ReplacedVersionError,
  type Batch,
  type ChangeConsumerOptions,
  type SubscribeToChanges,
  type Subscription,
  type SubscriptionStatus,
  type AspectStore,
  type IndexVersions,
  type IndexIdentity,
  type Verdict,
  type VersionedIndex,
} from '@stratalog/ports';
import type { IndexContent } from './content/index-content';
import { PositionCheck } from './position-check';
import { isOutdatedAlone, isSameIdentity } from './same-identity';

export interface FollowedIndex<Index> {
  readonly store: Pick<AspectStore, 'readPartitionSequences' | 'identity'>;
  /** Fingerprint of the rules of the content. */
  readonly mapping: string;
  /** Name of the index in messages: `search index`. */
  readonly indexName: string;
  /** True when queries are answered without the index, so that no query waits for its first build. */
  readonly isOptional?: true;
  /** Receives messages about the index for the operator. */
  readonly onNotice: (message: string, cause?: unknown) => void;
  /** Name of the consumer of the change log: `indexer`. */
  readonly reader: string;
  /** Subscribes to the change log; each batch is passed to {@link IndexFollower.handle}. */
  readonly subscribe: SubscribeToChanges;
  readonly indexes: IndexVersions<Index>;
}

/** The live version, while a requested one is built. */
interface FormerVersion {
  readonly name: string;
  readonly log: Subscription;
}

/** A version with a subscription of its own. */
interface SubscribedVersion<Index> {
  readonly index: Index;
  readonly apply: ReturnType<IndexContent<Index>['applyTo']>;
  /** The version is activated once it includes these changes. */
  readonly goal: PartitionSequences;
}

const RETRY_DELAY_MS = 500;
/** Interval between checks whether the followed index is still the live one. */
const CHECK_DELAY_MS = 1_000;
/** A replaced index is deleted after this time, and at each start, when no query can use it any more. */
const DELETE_RETIRED_DELAY_MS = 180_000;

/**
 * Keeps an index a function of the store.
 *
 * At its start it reads the live index version. It continues to follow one that was built from the same store with the
 * same mapping. Otherwise it fills a new version, while the old one still answers queries.
 *
 * It activates the new version once it includes every change the store had at the end of the fill, and every change that the live version
 * includes, so that no answer goes back in time. It does not wait for a lag of zero: under constant writes that never comes.
 * The status is `starting` until a version of this process is live, unless the index is optional.
 *
 * It checks every second that the index still exists. It rebuilds one that was lost or for which a rebuild was
 * requested. The guard of its content repairs one that lacks entries.
 *
 * A requested rebuild interrupts nothing: the live version keeps following the log until the new version is live. Each
 * version has its own consumer, so that several processes share the partitions of each. When an operator cancels the
 * rebuild, the live version keeps its subscription.
 */
export class IndexFollower<Index extends VersionedIndex<never>> implements Subscription {
  private isLive = false;
  private lastFailure = '';
  private log: Subscription | undefined;
  /** The version that this process fills or follows. */
  private target: Index | undefined;
  private former: FormerVersion | undefined;
  private readonly subscribed = new WeakMap<ChangeConsumerOptions, SubscribedVersion<Index>>();
  /** True when the live version is to be replaced because it is wrong. */
  private isWrong = false;
  /** True when an operator gave up the version that is being built. */
  private isCancelled = false;
  /** True when the log lacks changes that the followed version needs. */
  private hasGap = false;
  private readonly position: PositionCheck;
  private readonly loop = new PollLoop({
    round: (signal) => this.follow(signal),
    untilNext: async (target, signal) => {
      const end = await this.untilReplaced(target, signal);
      if (end === 'rebuild') this.keepAsFormer(target);
      else if (end === 'cancelled') await this.stopOwnLog();
      else await this.stopLog();
    },
    retryDelayMs: RETRY_DELAY_MS,
    onFailure: async (cause) => {
      this.note(cause);
      await this.stopLog();
    },
  });
  private deleteTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly deps: FollowedIndex<Index>,
    private readonly content: IndexContent<Index>,
  ) {
    this.position = new PositionCheck(deps.store, deps.indexName);
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
    if (this.former !== undefined && !this.isWrong) return this.former.log.status();
    const isBuilding = !this.isLive || this.log === undefined;
    if (isBuilding && this.deps.isOptional === true) return status;
    if (!this.isLive || this.log === undefined)
      return {
        state: 'starting',
        reason: `building the ${this.deps.indexName}${this.content.build.progress}`,
      };
    const deps = this.log.status();
    return deps.state === 'running' ? this.content.guard.status() : deps;
  }

  /** Handles a batch of one of its subscriptions. */
  async handle(
    batch: Batch<ChangeKey>,
    subscription: ChangeConsumerOptions,
  ): Promise<Verdict<void, ChangeKey>> {
    const version = this.subscribed.get(subscription);
    if (version === undefined)
      throw new Error(`${subscription.name} is no subscription of the ${this.deps.indexName}`);
    const { index, apply, goal } = version;
    let left: Batch<ChangeKey> | undefined = batch;
    try {
      while (left !== undefined) {
        left = await apply(left);
        this.deps.indexes.moves.notify();
        await this.activateAt(goal, index);
      }
      this.lastFailure = '';
      return { kind: 'done', results: [] };
    } catch (error) {
      // The version that replaced this one reads the changes by itself; the next check follows it.
      if (error instanceof ReplacedVersionError) return { kind: 'done', results: [] };
      if (!(error instanceof StratalogError)) throw error;
      this.note(error);
      // The checkpoint is past the changes that are not left.
      if (left !== undefined && left !== batch) return { kind: 'done', results: [], rest: left };
      return { kind: 'retry', cause: error };
    }
  }

  private async follow(signal: AbortSignal): Promise<Index> {
    const { indexes, store } = this.deps;
    // A change that the former version gets from here on must not activate it.
    this.target = undefined;
    await indexes.deleteRetired();
    const identity = this.identity();
    const live = await indexes.live();
    this.isLive = live !== undefined && isSameIdentity(live.identity, identity);
    const { former } = this;
    if (this.isLive && live !== undefined && live.name === former?.name) return this.returnTo(former, live);
    if (live !== undefined && isOutdatedAlone(live.identity, identity)) await this.followFormer(live);
    const target = this.isLive && live !== undefined ? live : await indexes.create(identity);
    this.target = target;
    await this.beginWith(target);
    const isUnfinished = !this.isLive && (await target.position()).size === 0;
    const isRequested = this.former !== undefined;
    const filled = isUnfinished ? await this.content.build.fill(target, { signal, isRequested }) : undefined;
    this.isCancelled = filled?.kind === 'cancelled';
    if (signal.aborted || this.isCancelled) return target;
    this.content.guard.begin(filled?.kind === 'filled' ? filled.unindexable : undefined);
    const goal = await store.readPartitionSequences();
    await this.activateAt(goal, target);
    this.log = await this.consume(target, goal);
    await this.stopReplaced();
    return target;
  }

  /** **Errors**: `UnavailableError` with the remedy while the store lacks changes that the version has. */
  private async beginWith(target: Index): Promise<void> {
    this.hasGap = false;
    this.position.begin();
    const state = await this.position.check(target);
    if (state.kind === 'ahead') throw new UnavailableError(state.reason);
  }

  /** Follows the live version, which a requested one replaces; continues the subscription that already does so. */
  private async followFormer(live: Index): Promise<void> {
    this.former ??= { name: live.name, log: await this.consume(live, new Map()) };
  }

  private keepAsFormer({ name }: Index): void {
    const { log } = this;
    this.former = log === undefined ? undefined : { name, log };
    this.log = undefined;
  }

  /** Continues with the live version after its rebuild was cancelled. Its subscription was never interrupted. */
  private returnTo({ log }: FormerVersion, live: Index): Index {
    [this.target, this.log, this.former] = [live, log, undefined];
    // If it is still wrong, the next comparison says so.
    this.isWrong = false;
    return live;
  }

  private async consume(index: Index, goal: PartitionSequences): Promise<Subscription> {
    // One name per version, without the sign of an engine's pattern: consumers of a name share the partitions, so two versions
    // under one name would each miss a part.
    const subscription: ChangeConsumerOptions = {
      name: `${this.deps.reader}-${index.name.replace('*', 'all')}`,
      after: () => index.position(),
      onGap: () => {
        if (index === this.target) this.hasGap = true;
      },
      maxRecords: this.deps.indexes.changesPerBatch,
    };
    this.subscribed.set(subscription, { index, goal, apply: this.content.applyTo(index) });
    const log = this.deps.subscribe(subscription);
    await log.start();
    return log;
  }

  /**
   * Resolves with `rebuild` when the followed version stays live until a requested one replaces it, and with `cancelled` when the
   * version that is being built is not wanted any more.
   */
  private async untilReplaced(target: Index, signal: AbortSignal): Promise<'rebuild' | 'cancelled' | 'over'> {
    while (!signal.aborted) {
      if (this.isCancelled) {
        // The cached live version is of the time before, for a moment.
        await pause(CHECK_DELAY_MS, signal);
        this.isCancelled = false;
        return 'cancelled';
      }
      try {
        if (await this.isReplaced(target)) return await this.replacement();
        if (this.isLive && this.hasGap) {
          this.deps.onNotice(
            `the ${this.deps.indexName} misses changes that the log no longer has, and is rebuilt`,
          );
          await this.giveUp(target);
          return await this.replacement();
        }
        if (!(await this.isInOrder(target))) return 'over';
        if (this.isLive && (await this.content.guard.check(target, signal)) === 'unusable') {
          await this.giveUp(target);
          return await this.replacement();
        }
      } catch (error) {
        // The follower retries after the delay, and logs while the store or the index is unavailable.
        this.note(error);
      }
      await pause(CHECK_DELAY_MS, signal);
    }
    return 'over';
  }

  /** False when the version is to be followed from its checkpoint again, or not at all. */
  private async isInOrder(target: Index): Promise<boolean> {
    const { kind } = await this.position.check(target);
    if (kind === 'went back')
      this.deps.onNotice(
        `the ${this.deps.indexName} was put back to an older state, and follows the changes since`,
      );
    return kind === 'in order';
  }

  private async replacement(): Promise<'rebuild' | 'cancelled' | 'over'> {
    const live = await this.deps.indexes.live();
    const isFormer = live !== undefined && live.name === this.former?.name;
    if (isFormer && isSameIdentity(live.identity, this.identity())) return 'cancelled';
    const isFollowed = this.isLive && live !== undefined && live.name === this.target?.name;
    return isFollowed && isOutdatedAlone(live.identity, this.identity()) ? 'rebuild' : 'over';
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
    // A version that is not live yet has lost a part.
    if (!isLive && this.log?.status().state !== 'retrying') return false;
    if (!isLive) return (await deps.indexes.create(identity)).name !== target.name;
    if (live !== undefined) return !isSameIdentity(live.identity, identity);
    deps.onNotice(`the ${deps.indexName} is gone, and is rebuilt`);
    return true;
  }

  /**
   * Retires an index without entries, and one that queries can do without. Another that has entries still answers queries until
   * its replacement is live.
   */
  private async giveUp(target: Index): Promise<void> {
    const { indexes, isOptional } = this.deps;
    this.isWrong = true;
    if (isOptional === true || (await target.count()) === 0) await indexes.retire(target);
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
    await this.stopOwnLog();
    await this.stopFormer();
  }

  private async stopOwnLog(): Promise<void> {
    await this.log?.stop();
    this.log = undefined;
  }

  /** Stops the subscription of the replaced version once the new one has its own; until then health reports the former. */
  private async stopReplaced(): Promise<void> {
    if (this.isLive && this.log !== undefined) await this.stopFormer();
  }

  private async stopFormer(): Promise<void> {
    const { former } = this;
    this.former = undefined;
    await former?.log.stop();
  }

  private identity(): IndexIdentity {
    const { storeId, epoch } = this.deps.store.identity;
    return { storeId, epoch, mapping: this.deps.mapping };
  }

  private async activateAt(goal: PartitionSequences, target: Index): Promise<void> {
    if (this.isLive || target !== this.target || !covers(await target.position(), goal)) return;
    this.isCancelled = this.former !== undefined && !(await this.content.build.isRequested(target));
    if (this.isCancelled) return;
    const { indexes } = this.deps;
    // The live version is ahead, so it has changes that follow here too: the batch with them tries again.
    if (!(await indexes.activate(target))) return;
    this.isLive = true;
    this.isWrong = false;
    await this.stopReplaced();
    // If this fails, the next start deletes it.
    this.deleteTimer = setTimeout(
      () => void indexes.deleteRetired().catch(() => undefined),
      DELETE_RETIRED_DELAY_MS,
    );
    this.deleteTimer.unref();
  }
}
