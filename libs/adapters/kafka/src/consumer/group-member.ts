import { setTimeout as delay } from 'node:timers/promises';
import { pause } from '@stratalog/concurrency';
import type { Consumer, ConsumerStartBatchProcessEvent, EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { JoinStorms } from './join-storms';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import type { ReaderTiming, TopicSource } from './topic-source';
import { translateKafkaError } from '../cluster/translate-kafka-error';

const HEARTBEAT_MS = 500;
const REBALANCE_TIMEOUT_MS = 15_000;
/** Maximum time that a fetch waits for records. Starts, stops and seeks wait for a running fetch. */
const FETCH_WAIT_MS = 100;
const MAX_FETCH_BYTES = 8 * 1024 * 1024;
/** Brokers send the first batch of a fetch whole, so larger records pass. */
const MAX_PARTITION_BYTES = 1024 * 1024;
/** Maximum wait for the consumer to leave the group. After that the group removes it at the session timeout. */
const DISCONNECT_LIMIT_MS = 5_000;

/** A fetched range of a partition: everything from Kafka's offset `from` up to, and without, `next`. */
export interface FetchedBatch {
  readonly partition: number;
  readonly from: number;
  readonly next: number;
  /** In order; empty when the range holds nothing for readers, such as the ends of transactions. */
  readonly messages: readonly KafkaMessage[];
  /** True once the partition is to be read from another position; then the batch must be dropped. */
  readonly isStale: () => boolean;
  /** Has the next fetch continue after this batch. */
  readonly accept: () => void;
}

/** Steers the fetches of a member. */
export interface FetchControl {
  pause(partitions: readonly number[]): void;
  resumeAt(partition: number, offset: number): void;
}

export interface MemberListener {
  /** The group has assigned these partitions to this member; the assignment replaces the former one. */
  onJoin(control: FetchControl, partitions: readonly number[]): void;
  /** Takes a batch; resolves when the next one of the partition may be fetched. */
  onBatch(batch: FetchedBatch): Promise<void>;
  /** Called at intervals of `auditMs`. */
  audit(): Promise<void>;
  /** The member has ended by itself. */
  onEnd(reason: string): void;
}

export interface GroupMemberOptions {
  readonly source: Pick<TopicSource<unknown>, 'topic' | 'groupId' | 'readUncommitted'>;
  readonly timing: ReaderTiming;
  readonly storms: JoinStorms;
  readonly reader: MemberListener;
}

/**
 * Runs one kafkajs consumer in a group, from its start to its end.
 *
 * kafkajs's own restarts are disabled. A crash, a silence or repeated joins end the member for good; its owner creates
 * a new one. A hanging consumer may wake up long after that: its events are then ignored.
 */
export class GroupMember implements FetchControl {
  private readonly consumer: Consumer;
  private readonly lifetime = new AbortController();
  private lastActiveAt = performance.now();

  constructor(
    private readonly cluster: KafkaCluster,
    private readonly options: GroupMemberOptions,
  ) {
    this.consumer = this.createConsumer();
  }

  /** False once the member has ended, even while it still leaves the group. */
  get isLive(): boolean {
    return !this.lifetime.signal.aborted;
  }

  /**
   * Joins the group and reads; resolves after the end. `signal` ends it.
   *
   * **Errors**: errors of the client when it cannot start.
   */
  async run(signal: AbortSignal, onReading: () => void): Promise<void> {
    const { consumer } = this;
    const { topic } = this.options.source;
    try {
      await consumer.connect();
      await consumer.subscribe({ topic, fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: this.cluster.partitions,
        eachBatch: (payload) => this.onBatch(payload),
      });
      onReading();
      await this.watch(AbortSignal.any([signal, this.lifetime.signal]));
    } finally {
      this.lifetime.abort();
      // A hanging consumer must not delay its successor or the end of the process. During a rebalance kafkajs waits in
      // `disconnect`.
      await Promise.race([
        consumer.disconnect().catch(() => undefined),
        delay(DISCONNECT_LIMIT_MS, undefined, { ref: false }),
      ]);
    }
  }

  pause(partitions: readonly number[]): void {
    if (partitions.length === 0) return;
    this.command((consumer) => {
      consumer.pause([{ topic: this.options.source.topic, partitions: [...partitions] }]);
    });
  }

  resumeAt(partition: number, offset: number): void {
    const { topic } = this.options.source;
    this.command((consumer) => {
      consumer.seek({ topic, partition, offset: String(offset) });
      consumer.resume([{ topic, partitions: [partition] }]);
    });
  }

  private createConsumer(): Consumer {
    const { source, timing, storms, reader } = this.options;
    const consumer = this.cluster.client.consumer({
      groupId: source.groupId,
      sessionTimeout: timing.sessionTimeoutMs,
      heartbeatInterval: HEARTBEAT_MS,
      rebalanceTimeout: REBALANCE_TIMEOUT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      maxBytes: MAX_FETCH_BYTES,
      maxBytesPerPartition: MAX_PARTITION_BYTES,
      allowAutoTopicCreation: false,
      readUncommitted: source.readUncommitted,
      retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5, restartOnFailure: neverRestart },
    });
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      if (!this.isLive) return;
      this.markActive();
      if (storms.countJoin(performance.now())) {
        this.end('Kafka divides the partitions again and again; reading restarts in a moment');
      } else reader.onJoin(this, payload.memberAssignment[source.topic] ?? []);
    });
    consumer.on(consumer.events.FETCH, () => {
      this.markActive();
    });
    consumer.on(consumer.events.START_BATCH_PROCESS, (event) => {
      if (this.isLive && event.payload.batchSize === 0) void reader.onBatch(toEmptyBatch(event));
    });
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      this.end(translateKafkaError(payload.error).message);
    });
    return consumer;
  }

  /** Until the end, checks that the consumer is active and runs the audits. */
  private async watch(end: AbortSignal): Promise<void> {
    const { auditMs, stuckAfterMs } = this.options.timing;
    let audited = performance.now();
    while (!end.aborted) {
      await pause(Math.min(auditMs, stuckAfterMs) / 4, end);
      const now = performance.now();
      if (now - this.lastActiveAt > stuckAfterMs) {
        this.end(`Kafka has not answered for ${String(Math.round(now - this.lastActiveAt))} ms`);
      } else if (now - audited > auditMs) {
        audited = now;
        await this.options.reader.audit();
      }
    }
  }

  private async onBatch(payload: EachBatchPayload): Promise<void> {
    if (!this.isLive) return;
    const { batch } = payload;
    const { partition, messages } = batch;
    const { fetchedOffset } = batch as typeof batch & { readonly fetchedOffset: string };
    const last = batch.lastOffset();
    const range = { partition, from: Number(fetchedOffset), next: Number(last) + 1 };
    const taken = this.options.reader.onBatch({
      ...range,
      messages,
      isStale: () => payload.isStale(),
      accept: () => {
        payload.resolveOffset(last);
      },
    });
    await this.keepAlive(taken, payload);
  }

  /** Sends heartbeats while `work` lasts: they keep the partitions. Rejects when the group rebalances. */
  private async keepAlive(work: Promise<void>, payload: EachBatchPayload): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const ended = new Promise<void>((resolve, reject) => {
      timer = setInterval(() => {
        this.markActive();
        if (this.isLive) payload.heartbeat().catch(reject);
        else resolve();
      }, HEARTBEAT_MS);
    });
    try {
      await Promise.race([work, ended]);
    } finally {
      clearInterval(timer);
    }
  }

  /** Records an event which proves that the consumer is not stuck. */
  private markActive(): void {
    this.lastActiveAt = performance.now();
  }

  private end(reason: string): void {
    this.options.reader.onEnd(reason);
    this.lifetime.abort();
  }

  /** Skips commands to an ended consumer; its successor starts with its own assignment. */
  private command(give: (consumer: Consumer) => void): void {
    try {
      if (this.isLive) give(this.consumer);
    } catch (error) {
      this.cluster.warn(`An command came after the end of a consumer: ${translateKafkaError(error).message}`);
    }
  }
}

const neverRestart = (): Promise<boolean> => Promise.resolve(false);

/** kafkajs passes an empty range by itself. */
function toEmptyBatch({ payload }: ConsumerStartBatchProcessEvent): FetchedBatch {
  const { partition, firstOffset, lastOffset } = payload;
  // Not a number when the broker has answered with other offsets than requested.
  const from = Number.parseInt(firstOffset, 10);
  const next = Number(lastOffset) + 1;
  return { partition, from, next, messages: [], isStale: () => false, accept: () => undefined };
}
