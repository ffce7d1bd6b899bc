import { StratalogError, covers, type ChangeKey, type PartitionOffsets } from '@stratalog/model';
import {
  pause,
  RoundLoop,
  type Batch,
  type ChangeLog,
  type Consumption,
  type ConsumptionStatus,
  type DerivedIndex,
  type IndexGenerations,
  type IndexIdentity,
  type Verdict,
} from '@stratalog/ports';
import { indexEntities, rebuildIndex, type IndexingParts } from './index-entities';

export interface FollowedIndex<Entry, Index extends DerivedIndex<Entry>> extends IndexingParts<Entry> {
  /** Who reads the change log: `indexer`. */
  readonly reader: string;
  /** How people know the index: `search index`. */
  readonly indexName: string;
  readonly changes: ChangeLog;
  readonly indexes: IndexGenerations<Index>;
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
/** A replaced index is swept at the next look of this kind, and at each start. */
const SWEEP_DELAY_MS = 180_000;

/**
 * Keeps an index a function of the store.
 *
 * At its start it looks at the live index. One made from the same store and by the same rules is followed on. Otherwise a new one is
 * filled beside it, while the old one goes on answering, and takes its place once it has everything that the store had when
 * the filling ended. The old one has stood still since before that; and to wait until nothing at all is missing would be to wait
 * until nobody writes. Until an index of this process is live the status is `starting`.
 */
export class IndexFollower<
  Entry extends { readonly urn: string },
  Index extends DerivedIndex<Entry>,
> implements Consumption {
  private isLive = false;
  private log: Consumption | undefined;
  private readonly rounds = new RoundLoop({
    round: (signal) => this.follow(signal),
    untilNext: async (target, signal) => {
      await this.untilReplaced(target, signal);
      await this.stopLog();
    },
    retryDelayMs: RETRY_DELAY_MS,
  });
  private sweepTimer: NodeJS.Timeout | undefined;

  constructor(private readonly followed: FollowedIndex<Entry, Index>) {}

  /** Resolves at once: filling an index may take minutes. */
  start(): Promise<void> {
    return this.rounds.start();
  }

  async stop(): Promise<void> {
    await this.rounds.stop();
    clearTimeout(this.sweepTimer);
    await this.stopLog();
  }

  status(): ConsumptionStatus {
    const status = this.rounds.status();
    if (status.state !== 'running') return status;
    if (!this.isLive || this.log === undefined)
      return { state: 'starting', reason: `building the ${this.followed.indexName}` };
    return this.log.status();
  }

  private async follow(signal: AbortSignal): Promise<Index> {
    const { indexes, changes, reader, store } = this.followed;
    await indexes.sweep();
    const identity = this.identity();
    const live = await indexes.live();
    this.isLive = live !== undefined && isSame(live.identity, identity);
    const target = this.isLive && live !== undefined ? live : await indexes.create(identity);
    if (!this.isLive && (await target.position()).size === 0)
      await rebuildIndex(this.followed, target, signal);
    if (signal.aborted) return target;
    const goal = await store.head();
    await this.promoteAt(goal, target);
    const log = changes.consume(
      { name: reader, after: () => target.position(), maxRecords: MAX_CHANGES },
      (batch) => this.handle(batch, target, goal),
    );
    await log.start();
    this.log = log;
    return target;
  }

  /**
   * Resolves when the live index is another one made from the same: two processes that start at once each fill one, and the last to
   * promote wins. The other must follow that one, or nobody would once the winner ends.
   */
  private async untilReplaced(target: Index, signal: AbortSignal): Promise<void> {
    const identity = this.identity();
    while (!signal.aborted) {
      await pause(LOOK_DELAY_MS, signal);
      // While the index is away the log says so.
      const live = await this.followed.indexes.live().catch(() => undefined);
      if (live !== undefined && live.name !== target.name && isSame(live.identity, identity)) return;
    }
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
    goal: PartitionOffsets,
  ): Promise<Verdict<void>> {
    const urns = new Set<string>();
    for (const { content } of batch.records) {
      if (content.kind === 'decoded' && this.followed.concerns(content.value)) urns.add(content.value.urn);
    }
    const position = new Map(batch.ranges.map(({ partition, to }) => [partition, to]));
    try {
      await indexEntities(this.followed, target, [...urns], position);
      await this.promoteAt(goal, target);
      return { kind: 'done', results: [] };
    } catch (error) {
      if (error instanceof StratalogError) return { kind: 'retry', cause: error };
      throw error;
    }
  }

  private async promoteAt(goal: PartitionOffsets, target: Index): Promise<void> {
    if (this.isLive || !covers(await target.position(), goal)) return;
    const { indexes } = this.followed;
    await indexes.promote(target);
    this.isLive = true;
    // Should it fail, the next start sweeps.
    this.sweepTimer = setTimeout(() => void indexes.sweep().catch(() => undefined), SWEEP_DELAY_MS);
    this.sweepTimer.unref();
  }
}

function isSame(a: IndexIdentity, b: IndexIdentity): boolean {
  return a.storeId === b.storeId && a.epoch === b.epoch && a.mapping === b.mapping;
}
