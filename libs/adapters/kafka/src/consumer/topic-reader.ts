import { pause } from '@stratalog/concurrency';
import { BatchDelivery, type DeliveryOptions } from './batch-delivery';
import type { FetchedBatch, FetchControl, MemberListener } from './group-member';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import { TopicIdentity } from '../cluster/topic-identity';
import type { LocatedPosition, TopicSource } from './topic-source';
import { translateKafkaError } from '../cluster/translate-kafka-error';

export interface TopicReaderOptions<T, R> {
  readonly source: TopicSource<T>;
  readonly delivery: Omit<DeliveryOptions<T, R>, 'onOffsetConflict'>;
}

/**
 * The read state of an assigned partition. A partition that is located again gets a new object, which invalidates work
 * for the old one.
 */
interface Assigned {
  /** Absent while the partition is not read: its position is being located, or it is stopped. */
  reading: ReadState | undefined;
  /** Remains until the partition has a position again. */
  stoppedBecause: string | undefined;
}

interface ReadState {
  /** Id of the topic in which the position was found. */
  readonly topicId: string;
  /** Kafka's offset of the next message. */
  cursor: number;
  /** The log's offset of the last record. */
  through: number;
}

const RETRY_DELAY_MS = 500;
/** Bytes of messages that are decoded at once: decoded, they may take many times as much memory. */
const PART_BYTES = 1024 * 1024;
const NO_RECORDS = { kind: 'decoded', records: [] } as const;

/**
 * Passes the messages of the assigned partitions on to the delivery, from positions that the store keeps.
 *
 * A partition is paused from its assignment until its position is known. Then the consumer seeks and resumes. Each
 * batch must start where the last one ended. Otherwise the broker no longer had that offset and kafkajs continued from
 * its default. Such a batch is dropped and the position is located again, or the partition stops with the reason.
 */
export class TopicReader<T, R> implements MemberListener {
  private readonly assigned = new Map<number, Assigned>();
  private readonly source: TopicSource<T>;
  private readonly delivery: BatchDelivery<T, R>;
  private readonly identity: TopicIdentity;
  private control: FetchControl | undefined;
  private failure: string | undefined;
  /** Of the last audit; an idle reader has no other success that would end it. */
  private auditFailure: string | undefined;

  constructor(
    private readonly cluster: KafkaCluster,
    { source, delivery }: TopicReaderOptions<T, R>,
    private readonly stopping: AbortSignal,
  ) {
    this.source = source;
    this.identity = new TopicIdentity(cluster.raw, source.topic);
    this.delivery = new BatchDelivery({
      ...delivery,
      onOffsetConflict: (partitions) => {
        this.relocate(partitions);
      },
    });
  }

  /** The reason why reading or delivery is stopped, entirely or for some partitions. */
  get failureReason(): string | undefined {
    const stopped = [...this.assigned].flatMap(([partition, { stoppedBecause }]) =>
      stoppedBecause === undefined
        ? []
        : [`partition ${String(partition)} of ${this.source.topic}: ${stoppedBecause}`],
    );
    return (
      this.delivery.failureReason ??
      this.failure ??
      this.auditFailure ??
      (stopped.length > 0 ? stopped.join('; ') : undefined)
    );
  }

  onJoin(control: FetchControl, partitions: readonly number[]): void {
    this.onEnd(undefined);
    this.control = control;
    void this.place(partitions);
  }

  onEnd(reason: string | undefined): void {
    this.failure = reason;
    for (const partition of this.assigned.keys()) this.delivery.drop(partition);
    this.assigned.clear();
  }

  async onBatch({ partition, from, messages, next, isStale, accept }: FetchedBatch): Promise<void> {
    const reading = this.assigned.get(partition)?.reading;
    if (reading === undefined || isStale()) return;
    if (from !== reading.cursor) {
      this.relocate([partition]);
      return;
    }
    const isCurrent = (): boolean =>
      this.assigned.get(partition)?.reading === reading && reading.cursor === from && !isStale();
    const parts = toParts(messages, next);
    for (const [at, part] of parts.entries()) {
      // A range without messages passes at once: kafkajs does not wait for its handler.
      const decoded =
        part.messages.length === 0
          ? NO_RECORDS
          : await this.retry(isCurrent, async () =>
              // A fetch does not say from which topic it came.
              (await this.identity.id()) === reading.topicId
                ? this.source.decode({ partition, messages: part.messages, after: reading.through })
                : undefined,
            );
      if (!isCurrent()) return;
      if (decoded === undefined || decoded.kind === 'stopped') {
        if (decoded === undefined) this.relocate([partition]);
        else this.stopPartition(partition, decoded.reason);
        return;
      }
      reading.through = this.source.hasKafkaOffsets
        ? part.next
        : (decoded.records.at(-1)?.record.offset ?? reading.through);
      if (at === parts.length - 1) {
        accept();
        reading.cursor = next;
      }
      await this.delivery.push(partition, decoded.records, reading.through);
    }
  }

  /**
   * Locates stopped partitions again, because the reason may have gone, and those outside the topic's watermarks.
   *
   * kafkajs would detect the latter only at the next record, and a topic that was created again perhaps never.
   */
  async audit(): Promise<void> {
    // Reading continues during the query, so a newer cursor may exceed the high watermark in the answer.
    const cursors = new Map(
      [...this.assigned].map(([partition, { reading }]) => [partition, reading?.cursor ?? 0]),
    );
    try {
      const [watermarksByPartition, topicId] = await Promise.all([
        this.cluster.readWatermarks(this.source.topic),
        this.identity.id(),
      ]);
      const shrunk = (await this.source.check?.(watermarksByPartition, topicId)) ?? new Set();
      const misplaced = [...this.assigned].filter(([partition, { reading, stoppedBecause }]) => {
        if (reading === undefined) return stoppedBecause !== undefined;
        if (shrunk.has(partition)) return true;
        const { low = 0, high = 0 } = watermarksByPartition.get(partition) ?? {};
        return reading.topicId !== topicId || reading.cursor < low || (cursors.get(partition) ?? 0) > high;
      });
      this.relocate(misplaced.map(([partition]) => partition));
      this.auditFailure = undefined;
    } catch (error) {
      this.auditFailure = translateKafkaError(error).message;
    }
  }

  /** Stops after the batches in flight. */
  stop(): Promise<void> {
    return this.delivery.stop();
  }

  private relocate(partitions: readonly number[]): void {
    void this.place(partitions.filter((partition) => this.assigned.has(partition)));
  }

  /** Pauses the partitions, locates them and resumes at the positions. */
  private async place(partitions: readonly number[]): Promise<void> {
    const { control } = this;
    const owned = partitions.map((partition) => {
      const { stoppedBecause } = this.assigned.get(partition) ?? {};
      const own: Assigned = { reading: undefined, stoppedBecause };
      this.delivery.drop(partition);
      this.assigned.set(partition, own);
      return { partition, own };
    });
    control?.pause(partitions);
    const isOurs = ({ partition, own }: (typeof owned)[number]): boolean =>
      this.assigned.get(partition) === own;
    const located = await this.retry(
      () => owned.some(isOurs),
      async () => {
        const { id: topicId } = await this.cluster.raw.describeTopic(this.source.topic);
        return { topicId, positions: await this.source.locate(partitions, topicId) };
      },
    );
    for (const { partition, own } of owned.filter(isOurs)) {
      const position = located?.positions.get(partition);
      if (located === undefined || position === undefined) continue;
      if (position.kind === 'stopped') this.stopPartition(partition, position.reason);
      else this.resume(partition, own, position, located.topicId);
    }
  }

  private resume(partition: number, own: Assigned, position: LocatedPosition, topicId: string): void {
    const { offset, committedOffset, ahead } = position;
    own.reading = { topicId, cursor: offset, through: committedOffset };
    own.stoppedBecause = undefined;
    this.delivery.open(partition, committedOffset, ahead);
    this.control?.resumeAt(partition, offset);
  }

  /** Stops a partition. The next audit tries it again. */
  private stopPartition(partition: number, reason: string): void {
    this.assigned.set(partition, { reading: undefined, stoppedBecause: reason });
    this.delivery.drop(partition);
    this.control?.pause([partition]);
  }

  /** Tries until `work` succeeds, and shows the reason meanwhile. Resolves with nothing when it is not wanted any more. */
  private async retry<V>(isWanted: () => boolean, work: () => Promise<V>): Promise<V | undefined> {
    while (isWanted() && !this.stopping.aborted) {
      try {
        const done = await work();
        if (isWanted()) this.failure = undefined;
        return done;
      } catch (error) {
        this.failure = translateKafkaError(error).message;
        await pause(RETRY_DELAY_MS, this.stopping);
      }
    }
    return undefined;
  }
}

interface Part {
  readonly messages: FetchedBatch['messages'];
  /** Kafka's offset after the part. */
  readonly next: number;
}

/** Divides the messages of a range into parts of some bytes; at least one part. */
function toParts(messages: FetchedBatch['messages'], next: number): readonly Part[] {
  const parts: Part[] = [];
  let own: FetchedBatch['messages'][number][] = [];
  let bytes = 0;
  for (const message of messages) {
    if (bytes >= PART_BYTES) {
      parts.push({ messages: own, next: Number(message.offset) });
      own = [];
      bytes = 0;
    }
    own.push(message);
    bytes += message.value?.length ?? 0;
  }
  return [...parts, { messages: own, next }];
}
