import { setTimeout as delay } from 'node:timers/promises';
import { pause } from '@stratalog/ports';
import type { Consumer, EachBatchPayload } from 'kafkajs';
import type { JoinStorms } from './join-storms';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import type { ReaderTiming, TopicReaderOptions } from './topic-reader-options';
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

/** A fetched range without messages for the handler. */
export interface EmptyBatch {
  readonly partition: number;
  readonly firstOffset: string | null;
  readonly lastOffset: string;
}

export interface GroupMemberOptions {
  readonly reader: Pick<TopicReaderOptions, 'topic' | 'groupId' | 'readUncommitted'>;
  readonly timing: ReaderTiming;
  readonly storms: JoinStorms;
  /** Called with the partitions that the group assigns to this member; the assignment replaces the former one. */
  readonly onJoin: (partitions: readonly number[]) => void;
  /**
   * Handles a batch. It calls `heartbeat` while it waits; that keeps the partitions, and rejects when the group
   * rebalances.
   */
  readonly onBatch: (payload: EachBatchPayload, heartbeat: () => Promise<void>) => Promise<void>;
  readonly onEmptyBatch: (batch: EmptyBatch) => void;
  /** Called at intervals of `auditMs`. */
  readonly audit: () => Promise<void>;
  /** Receives the reason when the member ends by itself. */
  readonly onEnd: (reason: string) => void;
}

/**
 * Runs one kafkajs consumer in a group, from its start to its end.
 *
 * kafkajs's own restarts are disabled. A crash, a silence or repeated joins end the member for good; its owner creates
 * a new one. A hanging consumer may wake up long after that: its events are then ignored.
 */
export class GroupMember {
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
    const { topic } = this.options.reader;
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
      consumer.pause([{ topic: this.options.reader.topic, partitions: [...partitions] }]);
    });
  }

  resumeAt(partition: number, offset: number): void {
    const { topic } = this.options.reader;
    this.command((consumer) => {
      consumer.seek({ topic, partition, offset: String(offset) });
      consumer.resume([{ topic, partitions: [partition] }]);
    });
  }

  private createConsumer(): Consumer {
    const { reader, timing, storms, onJoin, onEmptyBatch } = this.options;
    const consumer = this.cluster.client.consumer({
      groupId: reader.groupId,
      sessionTimeout: timing.sessionTimeoutMs,
      heartbeatInterval: HEARTBEAT_MS,
      rebalanceTimeout: REBALANCE_TIMEOUT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      maxBytes: MAX_FETCH_BYTES,
      maxBytesPerPartition: MAX_PARTITION_BYTES,
      allowAutoTopicCreation: false,
      readUncommitted: reader.readUncommitted,
      retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5, restartOnFailure: neverRestart },
    });
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      if (!this.isLive) return;
      this.markActive();
      if (storms.countJoin(performance.now())) {
        this.end('Kafka divides the partitions again and again; reading begins anew in a moment');
      } else onJoin(payload.memberAssignment[reader.topic] ?? []);
    });
    consumer.on(consumer.events.FETCH, () => {
      this.markActive();
    });
    consumer.on(consumer.events.START_BATCH_PROCESS, ({ payload }) => {
      if (this.isLive && payload.batchSize === 0) onEmptyBatch(payload);
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
        await this.options.audit();
      }
    }
  }

  private async onBatch(payload: EachBatchPayload): Promise<void> {
    if (!this.isLive) return;
    await this.options.onBatch(payload, async () => {
      this.markActive();
      await payload.heartbeat();
    });
  }

  /** Records an event which proves that the consumer is not stuck. */
  private markActive(): void {
    this.lastActiveAt = performance.now();
  }

  private end(reason: string): void {
    this.options.onEnd(reason);
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
