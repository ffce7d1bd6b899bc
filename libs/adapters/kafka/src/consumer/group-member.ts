import { setTimeout as delay } from 'node:timers/promises';
import { pause } from '@stratalog/ports';
import type { Consumer, EachBatchPayload } from 'kafkajs';
import type { JoinStorms } from './join-storms';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import type { ReaderTiming, TopicReaderOptions } from './topic-reader-options';
import { translateKafkaError } from '../cluster/translate-kafka-error';

const HEARTBEAT_MS = 500;
const REBALANCE_TIMEOUT_MS = 15_000;
/** A fetch waits so long for records; starts, stops and seeks wait for a fetch. */
const FETCH_WAIT_MS = 100;
const MAX_FETCH_BYTES = 8 * 1024 * 1024;
/** Brokers send the first batch of a fetch whole, so larger records pass. */
const MAX_PARTITION_BYTES = 1024 * 1024;
/** Whoever has not left the group by then is given up by it after the session timeout. */
const DISCONNECT_LIMIT_MS = 5_000;

/** A stretch that holds no message for us. */
export interface EmptyBatch {
  readonly partition: number;
  readonly firstOffset: string | null;
  readonly lastOffset: string;
}

export interface GroupMemberOptions {
  readonly reader: Pick<TopicReaderOptions, 'topic' | 'groupId' | 'readUncommitted'>;
  readonly timing: ReaderTiming;
  readonly storms: JoinStorms;
  /** The partitions that are ours from now on, and no others. */
  readonly onJoin: (partitions: readonly number[]) => void;
  /** `alive` is to be called while a batch waits for something: it keeps the partitions, and rejects when they are divided anew. */
  readonly onBatch: (payload: EachBatchPayload, alive: () => Promise<void>) => Promise<void>;
  readonly onNothing: (stretch: EmptyBatch) => void;
  /** Called every now and then. */
  readonly audit: () => Promise<void>;
  /** Told why the member ends by itself. */
  readonly onTrouble: (reason: string) => void;
}

/**
 * One consumer of kafkajs in a group, from its birth to its end.
 *
 * kafkajs's own restarts are switched off. A crash, silence, or joining again and again end the member for good; whoever wants to go on
 * makes a new one. A consumer that hangs may wake up long after that: what it then says is not passed on.
 */
export class GroupMember {
  private readonly consumer: Consumer;
  private readonly life = new AbortController();
  private lastSign = performance.now();

  constructor(
    private readonly cluster: KafkaCluster,
    private readonly options: GroupMemberOptions,
  ) {
    this.consumer = this.createConsumer();
  }

  /** False once it has come to its end, even while it still leaves the group. */
  get isLive(): boolean {
    return !this.life.signal.aborted;
  }

  /**
   * Joins the group and reads; resolves after the end, which `signal` may bring about.
   *
   * **Errors**: the client's own, when it could not begin.
   */
  async live(signal: AbortSignal, onReading: () => void): Promise<void> {
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
      await this.watch(AbortSignal.any([signal, this.life.signal]));
    } finally {
      this.life.abort();
      // A consumer that hangs must hold up neither its successor nor the end of the process: while the group is divided anew, kafkajs
      // waits with it.
      await Promise.race([
        consumer.disconnect().catch(() => undefined),
        delay(DISCONNECT_LIMIT_MS, undefined, { ref: false }),
      ]);
    }
  }

  pause(partitions: readonly number[]): void {
    if (partitions.length === 0) return;
    this.order((consumer) => {
      consumer.pause([{ topic: this.options.reader.topic, partitions: [...partitions] }]);
    });
  }

  resumeAt(partition: number, offset: number): void {
    const { topic } = this.options.reader;
    this.order((consumer) => {
      consumer.seek({ topic, partition, offset: String(offset) });
      consumer.resume([{ topic, partitions: [partition] }]);
    });
  }

  private createConsumer(): Consumer {
    const { reader, timing, storms, onJoin, onNothing } = this.options;
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
      retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5, restartOnFailure: notByItself },
    });
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      if (!this.isLive) return;
      this.sign();
      if (storms.joined(performance.now())) {
        this.end('Kafka divides the partitions again and again; reading begins anew in a moment');
      } else onJoin(payload.memberAssignment[reader.topic] ?? []);
    });
    consumer.on(consumer.events.FETCH, () => {
      this.sign();
    });
    consumer.on(consumer.events.START_BATCH_PROCESS, ({ payload }) => {
      if (this.isLive && payload.batchSize === 0) onNothing(payload);
    });
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      this.end(translateKafkaError(payload.error).message);
    });
    return consumer;
  }

  /** Until the end: sees whether the consumer lives, and has the topic looked at. */
  private async watch(end: AbortSignal): Promise<void> {
    const { auditMs, stuckAfterMs } = this.options.timing;
    let audited = performance.now();
    while (!end.aborted) {
      await pause(Math.min(auditMs, stuckAfterMs) / 4, end);
      const now = performance.now();
      if (now - this.lastSign > stuckAfterMs) {
        this.end(`Kafka has not answered for ${String(Math.round(now - this.lastSign))} ms`);
      } else if (now - audited > auditMs) {
        audited = now;
        await this.options.audit();
      }
    }
  }

  private async onBatch(payload: EachBatchPayload): Promise<void> {
    if (!this.isLive) return;
    await this.options.onBatch(payload, async () => {
      this.sign();
      await payload.heartbeat();
    });
  }

  /** Something shows that the member is not stuck. */
  private sign(): void {
    this.lastSign = performance.now();
  }

  private end(reason: string): void {
    this.options.onTrouble(reason);
    this.life.abort();
  }

  /** A consumer that has just ended takes no orders and needs none: its successor begins with an assignment. */
  private order(give: (consumer: Consumer) => void): void {
    try {
      if (this.isLive) give(this.consumer);
    } catch (error) {
      this.cluster.warn(`An order came after the end of a consumer: ${translateKafkaError(error).message}`);
    }
  }
}

const notByItself = (): Promise<boolean> => Promise.resolve(false);
