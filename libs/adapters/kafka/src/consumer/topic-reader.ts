import { pause } from '@stratalog/ports';
import type { EachBatchPayload } from 'kafkajs';
import { AssignedPartitions, type Assigned } from './assigned-partitions';
import { GroupMember, type EmptyBatch } from './group-member';
import { JoinStorms } from './join-storms';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import { TopicIdentity } from '../cluster/topic-identity';
import {
  READER_TIMING,
  type ReadPosition,
  type ReaderTiming,
  type TopicReaderOptions,
} from './topic-reader-options';
import { translateKafkaError } from '../cluster/translate-kafka-error';

const RESTART_DELAY_MS = 500;

interface Located {
  readonly topicId: string;
  readonly positions: ReadonlyMap<number, ReadPosition>;
}

/**
 * Reads the partitions of a topic that the group assigns to this process, from positions that the store keeps.
 *
 * A partition is paused from its assignment until its position is known. Then the consumer seeks and resumes. Each
 * batch must start where the last one ended. Otherwise the broker no longer had that offset and kafkajs continued from
 * its default. Such a batch is dropped and the position is located again, or the partition stops with the reason.
 *
 * Whatever ends a member of the group, the reader replaces it by a new one.
 */
export class TopicReader {
  private readonly assigned: AssignedPartitions;
  private readonly storms = new JoinStorms();
  private readonly identity: TopicIdentity;
  private member: GroupMember | undefined;
  private failure: string | undefined;
  private stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private readonly timing: ReaderTiming;

  constructor(
    private readonly cluster: KafkaCluster,
    private readonly options: TopicReaderOptions,
    timing: Partial<ReaderTiming> = {},
  ) {
    this.timing = { ...READER_TIMING, ...timing };
    this.assigned = new AssignedPartitions(options.revoke);
    this.identity = new TopicIdentity(cluster.raw, options.topic);
  }

  /** Resolves once the group is joined, or the first attempt has failed; the reader then retries. */
  async start(): Promise<void> {
    this.stopping = new AbortController();
    await new Promise<void>((settled) => {
      this.running = this.supervise(settled);
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** The reason why reading is stopped, entirely or for some partitions. */
  get failureReason(): string | undefined {
    if (this.failure !== undefined) return this.failure;
    const { stopped } = this.assigned;
    if (stopped.length === 0) return undefined;
    return stopped
      .map(([partition, reason]) => `partition ${String(partition)} of ${this.options.topic}: ${reason}`)
      .join('; ');
  }

  /** Locates the read positions of these partitions again. */
  relocate(partitions: readonly number[]): void {
    const own = partitions.filter((partition) => this.assigned.get(partition) !== undefined);
    if (own.length > 0) void this.locateAndResume(own);
  }

  /** Stops a partition with invalid records. The next audit tries it again. */
  stopPartition(partition: number, reason: string): void {
    if (this.assigned.stop(partition, reason)) this.member?.pause([partition]);
  }

  private async supervise(settled: () => void): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        this.member = this.newMember();
        await this.member.run(signal, settled);
      } catch (error) {
        this.failure = translateKafkaError(error).message;
      }
      this.assigned.assign([]);
      settled();
      await pause(RESTART_DELAY_MS, signal);
    }
    settled();
  }

  private newMember(): GroupMember {
    return new GroupMember(this.cluster, {
      reader: this.options,
      timing: this.timing,
      storms: this.storms,
      onJoin: (partitions) => {
        this.onJoin(partitions);
      },
      onBatch: (payload, heartbeat) => this.onBatch(payload, heartbeat),
      onEmptyBatch: (emptyBatch) => {
        this.onEmptyBatch(emptyBatch);
      },
      audit: () => this.audit(),
      onEnd: (reason) => {
        this.failure = reason;
      },
    });
  }

  /**
   * Locates stopped partitions again, because the reason may have gone, and those outside the topic's watermarks.
   *
   * kafkajs would detect the latter only at the next record, and a topic that was created again perhaps never.
   */
  private async audit(): Promise<void> {
    // Reading continues during the query, so a newer cursor may exceed the high watermark in the answer.
    const cursors = new Map([...this.assigned].map(([partition, own]) => [partition, own.cursor]));
    try {
      const [watermarksByPartition, topicId] = await Promise.all([
        this.cluster.readWatermarks(this.options.topic),
        this.identity.id(),
      ]);
      const misplaced = [...this.assigned].filter(([partition, own]) => {
        const { cursor, stoppedBecause } = own;
        if (cursor === undefined) return stoppedBecause !== undefined;
        const { low = 0, high = 0 } = watermarksByPartition.get(partition) ?? {};
        return own.topicId !== topicId || cursor < low || (cursors.get(partition) ?? 0) > high;
      });
      this.relocate(misplaced.map(([partition]) => partition));
    } catch (error) {
      this.failure = translateKafkaError(error).message;
    }
  }

  private onJoin(partitions: readonly number[]): void {
    this.assigned.assign(partitions);
    this.failure = undefined;
    this.member?.pause(partitions);
    if (partitions.length > 0) void this.locateAndResume(partitions);
  }

  /**
   * Pauses the partitions, locates them and resumes at the positions. Retries until each is placed, stopped or revoked.
   */
  private async locateAndResume(partitions: readonly number[]): Promise<void> {
    const { member } = this;
    const owned = partitions.map((partition) => [partition, this.assigned.startLocating(partition)] as const);
    member?.pause(partitions);
    const isOurs = ([partition, own]: (typeof owned)[number]): boolean =>
      member?.isLive === true && this.assigned.get(partition) === own;
    let located: Located | undefined;
    while (located === undefined) {
      if (!owned.some(isOurs)) return;
      located = await this.tryLocate(partitions);
      if (located === undefined) await pause(RESTART_DELAY_MS, this.stopping.signal);
    }
    for (const entry of owned) {
      const [partition, own] = entry;
      const position = located.positions.get(partition);
      if (!isOurs(entry) || position === undefined) continue;
      own.topicId = located.topicId;
      if (position.kind === 'stopped') this.stopPartition(partition, position.reason);
      else {
        own.cursor = position.offset;
        own.stoppedBecause = undefined;
        member?.resumeAt(partition, position.offset);
      }
    }
  }

  private async tryLocate(partitions: readonly number[]): Promise<Located | undefined> {
    try {
      const topicId = await this.cluster.raw.topicId(this.options.topic);
      const positions = await this.options.locate(partitions, topicId);
      this.failure = undefined;
      return { topicId, positions };
    } catch (error) {
      this.failure = translateKafkaError(error).message;
      return undefined;
    }
  }

  /** Checks that a fetch came from the topic in which the partition was located; the fetch itself does not say. */
  private async isFromItsTopic({ topicId }: Assigned): Promise<boolean> {
    try {
      return (await this.identity.id()) === topicId;
    } catch (error) {
      this.failure = translateKafkaError(error).message;
      return false;
    }
  }

  private async onBatch(payload: EachBatchPayload, heartbeat: () => Promise<void>): Promise<void> {
    const { batch } = payload;
    const { partition, messages } = batch;
    const own = this.assigned.get(partition);
    if (own?.cursor === undefined || payload.isStale()) return;

    const fetched = Number((batch as typeof batch & { readonly fetchedOffset: string }).fetchedOffset);
    const last = messages.at(-1)?.offset;
    if (fetched !== own.cursor || last === undefined || !(await this.isFromItsTopic(own))) {
      this.relocate([partition]);
      return;
    }
    const next = Number(batch.lastOffset()) + 1;
    const isCurrent = (): boolean =>
      this.assigned.get(partition) === own && own.cursor !== undefined && !payload.isStale();
    await this.options.take({ partition, messages, next, isCurrent, heartbeat });
    if (!isCurrent()) return;
    own.cursor = next;
    payload.resolveOffset(last);
    // Heartbeats during the wait keep the partitions assigned and report a rebalance.
    while (isCurrent() && !this.stopping.signal.aborted && !(await this.options.waitForRoom())) {
      await heartbeat();
    }
  }

  /** Handles a fetched range without messages, for instance the ends of transactions, which kafkajs skips by itself. */
  private onEmptyBatch(emptyBatch: EmptyBatch): void {
    const own = this.assigned.get(emptyBatch.partition);
    if (own?.cursor === undefined) return;
    if (emptyBatch.firstOffset === null || Number(emptyBatch.firstOffset) !== own.cursor) {
      this.relocate([emptyBatch.partition]);
      return;
    }
    own.cursor = Number(emptyBatch.lastOffset) + 1;
    void this.options.take({
      partition: emptyBatch.partition,
      messages: [],
      next: own.cursor,
      isCurrent: () => true,
      heartbeat: () => Promise.resolve(),
    });
  }
}
