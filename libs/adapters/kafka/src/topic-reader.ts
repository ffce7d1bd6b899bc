import { setTimeout as delay } from 'node:timers/promises';
import { pause } from '@stratalog/ports';
import type { Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { KafkaCluster } from './kafka-cluster';
import { translateKafkaError } from './translate-kafka-error';

/** Where reading a partition goes on, or why it does not. */
export type Place =
  { readonly kind: 'at'; readonly offset: number } | { readonly kind: 'stopped'; readonly reason: string };

export interface TopicReaderOptions {
  readonly topic: string;
  /** Readers of one group share the partitions; its offsets are not used. */
  readonly groupId: string;
  /** Whether records of transactions that have not ended, or were aborted, are read too. */
  readonly readUncommitted: boolean;
  /**
   * Asked when partitions are assigned, and again when something does not fit: where each is to be read from. What was read of them
   * before is to be dropped.
   */
  readonly locate: (partitions: readonly number[], topicId: string) => Promise<ReadonlyMap<number, Place>>;
  readonly take: (stretch: Stretch) => Promise<void> | void;
  readonly revoke: (partition: number) => void;
  /** Resolves at once while there is room for more, else after a while; true when there is room. */
  readonly room: () => Promise<boolean>;
}

/** Messages of a partition in order; everything below Kafka's offset `next` was read with them. */
export interface Stretch {
  readonly partition: number;
  readonly messages: readonly KafkaMessage[];
  readonly next: number;
  /** To be called while taking waits for something: the partitions stay ours. Rejects when they are divided anew. */
  readonly alive: () => Promise<void>;
  /** False once the partition has been taken away or is read from elsewhere; then nothing of the stretch may be used. */
  readonly isCurrent: () => boolean;
}

export interface ReaderTiming {
  /** A member that is silent for so long is taken for dead, and its partitions go to others. */
  readonly sessionTimeoutMs: number;
  /** A consumer that neither fetches nor waits for us for so long is replaced. */
  readonly stuckAfterMs: number;
  /** How often the topic's id and extent are looked at. */
  readonly auditMs: number;
}

const TIMING: ReaderTiming = { sessionTimeoutMs: 10_000, stuckAfterMs: 20_000, auditMs: 5_000 };
const HEARTBEAT_MS = 500;
const REBALANCE_TIMEOUT_MS = 15_000;
/** A fetch waits so long for records; starts, stops and seeks wait for a fetch. */
const FETCH_WAIT_MS = 100;
const MAX_FETCH_BYTES = 8 * 1024 * 1024;
/** No topic is made anew so soon after its id was asked for. */
const SAME_TOPIC_MS = 50;
/** Brokers send the first batch of a fetch whole, so larger records pass. */
const MAX_PARTITION_BYTES = 1024 * 1024;
const RESTART_DELAY_MS = 500;
/** Whoever has not left the group by then is given up by it after the session timeout. */
const DISCONNECT_LIMIT_MS = 5_000;
/** More joins in one second are a storm: kafkajs joins again at once when a fetch fails for a leader that has moved. */
const MAX_JOINS = 5;
const STORM_MS = 1_000;

interface Located {
  readonly topicId: string;
  readonly places: ReadonlyMap<number, Place>;
}

/** A partition that is ours. Without `cursor` it is not read: it is being located, or was stopped. */
interface Assigned {
  /** The topic that the place was found in. */
  topicId: string | undefined;
  cursor: number | undefined;
  stoppedBecause: string | undefined;
}

/**
 * Reads the partitions of a topic that the group assigns to this process, from places that are kept elsewhere.
 *
 * A partition is paused from its assignment until its place is known, then sought and resumed. From there each batch must start
 * where the last one ended; one that does not means that the broker had no such offset any more and kafkajs has gone on from its
 * default: nothing of it is taken, and the place is asked for again, with the reason for a stop if there is one.
 *
 * kafkajs's own restarts are switched off: whatever ends a consumer, a crash or its silence, it is replaced here by a new one.
 */
export class TopicReader {
  private readonly assigned = new Map<number, Assigned>();
  private consumer: Consumer | undefined;
  private lastSign = 0;
  private joins: readonly number[] = [];
  private failure: string | undefined;
  private seenTopic: { readonly id: Promise<string>; readonly at: number } | undefined;
  private stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private readonly timing: ReaderTiming;

  constructor(
    private readonly cluster: KafkaCluster,
    private readonly options: TopicReaderOptions,
    timing: Partial<ReaderTiming> = {},
  ) {
    this.timing = { ...TIMING, ...timing };
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
    const stopped = [...this.assigned].filter(([, { stoppedBecause }]) => stoppedBecause !== undefined);
    if (stopped.length === 0) return undefined;
    return stopped
      .map(
        ([partition, { stoppedBecause }]) =>
          `partition ${String(partition)} of ${this.options.topic}: ${stoppedBecause ?? ''}`,
      )
      .join('; ');
  }

  /** Partitions that this process reads now. */
  get partitions(): readonly number[] {
    return [...this.assigned]
      .filter(([, { cursor }]) => cursor !== undefined)
      .map(([partition]) => partition);
  }

  /** Asks again where these partitions are to be read from. */
  relocate(partitions: readonly number[]): void {
    const own = partitions.filter((partition) => this.assigned.has(partition));
    if (own.length > 0) void this.place(own);
  }

  /** Stops a partition whose records make no sense. It is tried again when the topic is next looked at. */
  stopPartition(partition: number, reason: string): void {
    const own = this.assigned.get(partition);
    if (own === undefined) return;
    own.cursor = undefined;
    own.stoppedBecause = reason;
    this.options.revoke(partition);
    this.pause([partition]);
  }

  private async supervise(settled: () => void): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const life = new AbortController();
      const end = AbortSignal.any([signal, life.signal]);
      try {
        await this.live(life, end, settled);
      } catch (error) {
        this.failure = translateKafkaError(error).message;
      }
      for (const partition of this.assigned.keys()) this.options.revoke(partition);
      this.assigned.clear();
      settled();
      await pause(RESTART_DELAY_MS, signal);
    }
    settled();
  }

  /** One consumer from its birth to its end. */
  private async live(life: AbortController, end: AbortSignal, settled: () => void): Promise<void> {
    const consumer = this.create(life);
    this.consumer = consumer;
    this.sign();
    try {
      await consumer.connect();
      await consumer.subscribe({ topic: this.options.topic, fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: this.cluster.partitions,
        eachBatch: (payload) => this.onBatch(payload),
      });
      settled();
      await this.watch(life, end);
    } finally {
      this.consumer = undefined;
      life.abort();
      // A consumer that hangs must hold up neither its successor nor the end of the process: while the group is divided anew, kafkajs
      // waits with it.
      await Promise.race([
        consumer.disconnect().catch(() => undefined),
        delay(DISCONNECT_LIMIT_MS, undefined, { ref: false }),
      ]);
    }
  }

  private create(life: AbortController): Consumer {
    const consumer = this.cluster.client.consumer({
      groupId: this.options.groupId,
      sessionTimeout: this.timing.sessionTimeoutMs,
      heartbeatInterval: HEARTBEAT_MS,
      rebalanceTimeout: REBALANCE_TIMEOUT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      maxBytes: MAX_FETCH_BYTES,
      maxBytesPerPartition: MAX_PARTITION_BYTES,
      allowAutoTopicCreation: false,
      readUncommitted: this.options.readUncommitted,
      retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5, restartOnFailure: notByItself },
    });
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      this.sign();
      if (this.isStorm()) life.abort();
      else this.onJoin(payload.memberAssignment[this.options.topic] ?? []);
    });
    consumer.on(consumer.events.FETCH, () => {
      this.sign();
    });
    consumer.on(consumer.events.START_BATCH_PROCESS, ({ payload }) => {
      if (payload.batchSize === 0) this.onNothing(payload);
    });
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      this.failure = translateKafkaError(payload.error).message;
      life.abort();
    });
    return consumer;
  }

  private isStorm(): boolean {
    const now = performance.now();
    this.joins = [...this.joins.filter((at) => now - at < STORM_MS), now];
    if (this.joins.length <= MAX_JOINS) return false;
    this.failure = 'Kafka divides the partitions again and again; reading begins anew in a moment';
    return true;
  }

  private sign(): void {
    this.lastSign = performance.now();
  }

  /** Until the end: sees whether the consumer lives and whether the topic is still the one that is read. */
  private async watch(life: AbortController, end: AbortSignal): Promise<void> {
    let audited = performance.now();
    while (!end.aborted) {
      await pause(Math.min(this.timing.auditMs, this.timing.stuckAfterMs) / 4, end);
      const now = performance.now();
      if (now - this.lastSign > this.timing.stuckAfterMs) {
        this.failure = `Kafka has not answered for ${String(Math.round(now - this.lastSign))} ms`;
        life.abort();
      } else if (now - audited > this.timing.auditMs) {
        audited = now;
        await this.audit();
      }
    }
  }

  /**
   * Places again what was stopped, because its reason may be gone, and what is no longer within the topic. kafkajs would notice
   * the latter only with the next record, and a topic that was made anew perhaps never.
   */
  private async audit(): Promise<void> {
    // What is read while we ask may lie behind the end that we are told.
    const cursors = new Map([...this.assigned].map(([partition, own]) => [partition, own.cursor]));
    try {
      const [extents, topicId] = await Promise.all([
        this.cluster.extents(this.options.topic),
        this.topicId(),
      ]);
      const misplaced = [...this.assigned].filter(([partition, own]) => {
        const { cursor, stoppedBecause } = own;
        if (cursor === undefined) return stoppedBecause !== undefined;
        const { low = 0, high = 0 } = extents.get(partition) ?? {};
        return own.topicId !== topicId || cursor < low || (cursors.get(partition) ?? 0) > high;
      });
      this.relocate(misplaced.map(([partition]) => partition));
    } catch (error) {
      this.failure = translateKafkaError(error).message;
    }
  }

  private onJoin(partitions: readonly number[]): void {
    for (const partition of this.assigned.keys()) this.options.revoke(partition);
    this.assigned.clear();
    for (const partition of partitions) {
      this.assigned.set(partition, { topicId: undefined, cursor: undefined, stoppedBecause: undefined });
    }
    this.failure = undefined;
    this.pause(partitions);
    if (partitions.length > 0) void this.place(partitions);
  }

  /** Pauses, asks and goes on from where it is told, until the partitions are placed, stopped or taken away. */
  private async place(partitions: readonly number[]): Promise<void> {
    const { consumer } = this;
    const owned = new Map<number, Assigned>();
    for (const partition of partitions) {
      this.options.revoke(partition);
      const { stoppedBecause } = this.assigned.get(partition) ?? {};
      const own: Assigned = { topicId: undefined, cursor: undefined, stoppedBecause };
      this.assigned.set(partition, own);
      owned.set(partition, own);
    }
    this.pause(partitions);
    const isOurs = ([partition, own]: [number, Assigned]): boolean =>
      this.consumer === consumer && this.assigned.get(partition) === own;
    let located: Located | undefined;
    while (located === undefined) {
      if (![...owned].some(isOurs)) return;
      located = await this.tryLocate(partitions);
      if (located === undefined) await pause(RESTART_DELAY_MS, this.stopping.signal);
    }
    for (const entry of owned) {
      const [partition, own] = entry;
      const place = located.places.get(partition);
      if (!isOurs(entry) || place === undefined) continue;
      own.topicId = located.topicId;
      if (place.kind === 'stopped') this.stopPartition(partition, place.reason);
      else this.resumeAt(partition, own, place.offset);
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

  /** The id of the topic as it is now; many ask at once. */
  private topicId(): Promise<string> {
    const now = performance.now();
    if (this.seenTopic === undefined || now - this.seenTopic.at > SAME_TOPIC_MS) {
      this.seenTopic = { id: this.cluster.raw.topicId(this.options.topic), at: now };
    }
    return this.seenTopic.id;
  }

  /** Whether what was just fetched comes from the topic that the partition was placed in; a fetch does not say so itself. */
  private async isFromItsTopic({ topicId }: Assigned): Promise<boolean> {
    try {
      return (await this.topicId()) === topicId;
    } catch (error) {
      this.failure = translateKafkaError(error).message;
      return false;
    }
  }

  private resumeAt(partition: number, own: Assigned, offset: number): void {
    const { topic } = this.options;
    own.cursor = offset;
    own.stoppedBecause = undefined;
    this.order((consumer) => {
      consumer.seek({ topic, partition, offset: String(offset) });
      consumer.resume([{ topic, partitions: [partition] }]);
    });
  }

  private pause(partitions: readonly number[]): void {
    if (partitions.length === 0) return;
    this.order((consumer) => {
      consumer.pause([{ topic: this.options.topic, partitions: [...partitions] }]);
    });
  }

  /** A consumer that has just ended takes no orders and needs none: its successor begins with an assignment. */
  private order(give: (consumer: Consumer) => void): void {
    try {
      if (this.consumer !== undefined) give(this.consumer);
    } catch (error) {
      this.cluster.warn(`An order came after the end of a consumer: ${translateKafkaError(error).message}`);
    }
  }

  private async onBatch(payload: EachBatchPayload): Promise<void> {
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
    const alive = async (): Promise<void> => {
      this.sign();
      await payload.heartbeat();
    };
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
  private onNothing(stretch: { partition: number; firstOffset: string | null; lastOffset: string }): void {
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

const notByItself = (): Promise<boolean> => Promise.resolve(false);
