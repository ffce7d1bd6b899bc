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
  readonly places: ReadonlyMap<number, ReadPosition>;
}

/**
 * Reads the partitions of a topic that the group assigns to this process, from places that are kept elsewhere.
 *
 * A partition is paused from its assignment until its place is known, then sought and resumed. From there each batch must start
 * where the last one ended; one that does not means that the broker had no such offset any more and kafkajs has gone on from its
 * default: nothing of it is taken, and the place is asked for again, with the reason for a stop if there is one.
 *
 * Whatever ends a member of the group, it is replaced here by a new one.
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

  /** Resolves once the group has been joined, or has failed to be for the first time; from then on it is tried again and again. */
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

  /** Why reading does not go on, wholly or for some partitions. */
  get trouble(): string | undefined {
    if (this.failure !== undefined) return this.failure;
    const { stopped } = this.assigned;
    if (stopped.length === 0) return undefined;
    return stopped
      .map(([partition, reason]) => `partition ${String(partition)} of ${this.options.topic}: ${reason}`)
      .join('; ');
  }

  /** Partitions that this process reads now. */
  get partitions(): readonly number[] {
    return this.assigned.placed;
  }

  /** Asks again where these partitions are to be read from. */
  relocate(partitions: readonly number[]): void {
    const own = partitions.filter((partition) => this.assigned.get(partition) !== undefined);
    if (own.length > 0) void this.place(own);
  }

  /** Stops a partition whose records make no sense. It is tried again when the topic is next looked at. */
  stopPartition(partition: number, reason: string): void {
    if (this.assigned.stop(partition, reason)) this.member?.pause([partition]);
  }

  private async supervise(settled: () => void): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        this.member = this.newMember();
        await this.member.live(signal, settled);
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
      onBatch: (payload, alive) => this.onBatch(payload, alive),
      onNothing: (stretch) => {
        this.onNothing(stretch);
      },
      audit: () => this.audit(),
      onTrouble: (reason) => {
        this.failure = reason;
      },
    });
  }

  /**
   * Places again what was stopped, because its reason may be gone, and what is no longer within the topic. kafkajs would notice
   * the latter only with the next record, and a topic that was made anew perhaps never.
   */
  private async audit(): Promise<void> {
    // What is read while we ask may lie behind the end that we are told.
    const cursors = new Map([...this.assigned].map(([partition, own]) => [partition, own.cursor]));
    try {
      const [offsetsByPartition, topicId] = await Promise.all([
        this.cluster.offsetsByPartition(this.options.topic),
        this.identity.id(),
      ]);
      const misplaced = [...this.assigned].filter(([partition, own]) => {
        const { cursor, stoppedBecause } = own;
        if (cursor === undefined) return stoppedBecause !== undefined;
        const { low = 0, high = 0 } = offsetsByPartition.get(partition) ?? {};
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
    if (partitions.length > 0) void this.place(partitions);
  }

  /** Pauses, asks and goes on from where it is told, until the partitions are placed, stopped or taken away. */
  private async place(partitions: readonly number[]): Promise<void> {
    const { member } = this;
    const owned = partitions.map((partition) => [partition, this.assigned.unplace(partition)] as const);
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
      const place = located.places.get(partition);
      if (!isOurs(entry) || place === undefined) continue;
      own.topicId = located.topicId;
      if (place.kind === 'stopped') this.stopPartition(partition, place.reason);
      else {
        own.cursor = place.offset;
        own.stoppedBecause = undefined;
        member?.resumeAt(partition, place.offset);
      }
    }
  }

  private async tryLocate(partitions: readonly number[]): Promise<Located | undefined> {
    try {
      const topicId = await this.cluster.raw.topicId(this.options.topic);
      const places = await this.options.locate(partitions, topicId);
      this.failure = undefined;
      return { topicId, places };
    } catch (error) {
      this.failure = translateKafkaError(error).message;
      return undefined;
    }
  }

  /** Whether what was just fetched comes from the topic that the partition was placed in; a fetch does not say so itself. */
  private async isFromItsTopic({ topicId }: Assigned): Promise<boolean> {
    try {
      return (await this.identity.id()) === topicId;
    } catch (error) {
      this.failure = translateKafkaError(error).message;
      return false;
    }
  }

  private async onBatch(payload: EachBatchPayload, alive: () => Promise<void>): Promise<void> {
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
    await this.options.take({ partition, messages, next, isCurrent, alive });
    if (!isCurrent()) return;
    own.cursor = next;
    payload.resolveOffset(last);
    // Heartbeats while we wait keep the partitions ours, and tell of a new division of them.
    while (isCurrent() && !this.stopping.signal.aborted && !(await this.options.room())) {
      await alive();
    }
  }

  /** A stretch that holds nothing for us, ends of transactions for instance; kafkajs passes over it by itself. */
  private onNothing(stretch: EmptyBatch): void {
    const own = this.assigned.get(stretch.partition);
    if (own?.cursor === undefined) return;
    if (stretch.firstOffset === null || Number(stretch.firstOffset) !== own.cursor) {
      this.relocate([stretch.partition]);
      return;
    }
    own.cursor = Number(stretch.lastOffset) + 1;
    void this.options.take({
      partition: stretch.partition,
      messages: [],
      next: own.cursor,
      isCurrent: () => true,
      alive: () => Promise.resolve(),
    });
  }
}
