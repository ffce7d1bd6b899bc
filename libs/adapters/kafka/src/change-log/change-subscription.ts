import type { ChangeKey, PartitionSequences } from '@stratalog/model';
import type {
  BatchHandler,
  ChangeConsumerOptions,
  Subscription,
  SubscriptionStatus,
  LogRecord,
  StoreIdentity,
} from '@stratalog/ports';
import type { IncomingRecord } from '../consumer/batch-delivery';
import { parseChangeKey } from './change-record-message';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import type { TopicWatermarks } from '../cluster/raw-requests';
import { TopicSubscription } from '../consumer/topic-subscription';
import type { ReadPosition, ReaderTiming, FetchedBatch } from '../consumer/topic-reader-options';

export interface KafkaChangeLogOptions {
  readonly identity: StoreIdentity;
  /** Reads the published positions. They tell a topic without new changes from one that has lost some. */
  readonly published: () => Promise<PartitionSequences>;
  readonly timing?: Partial<ReaderTiming>;
}

/**
 * Minimum interval between batches. Consumers make each batch visible or durable with requests that cost the same for
 * one change and for hundreds. It is slightly shorter than the relay's interval, so that a batch starts when one
 * arrives.
 */
const MIN_INTERVAL_MS = 80;
/** The search for a position goes back from the end of the topic by this many records, then by ever more. */
const FIRST_STEP = 64;
const STEP_FACTOR = 4;
/** Estimated size of a waiting change, of which only the key is kept. */
const KEY_BYTES = 200;

/** Reads the changes of the partitions that are assigned to this process, after the checkpoint of the consumer. */
export class ChangeSubscription implements Subscription {
  private readonly subscription: TopicSubscription<ChangeKey, void>;
  /** Per partition, the last change that was read or that the consumer already has. */
  private readonly seen = new Map<number, number>();

  constructor(
    private readonly cluster: KafkaCluster,
    private readonly options: KafkaChangeLogOptions & ChangeConsumerOptions,
    handler: BatchHandler<ChangeKey, void>,
  ) {
    this.subscription = new TopicSubscription(cluster, {
      reader: {
        topic: cluster.topics.changes,
        groupId: cluster.toGroupId(options.name),
        // A relay writes only changes that the store has committed, and their positions identify them. Waiting for the
        // end of a transaction could last forever, when a killed broker never wrote it.
        readUncommitted: true,
        locate: (partitions) => this.locate(partitions),
        take: (batch) => {
          this.take(batch);
        },
      },
      delivery: {
        maxRecords: options.maxRecords,
        minIntervalMs: MIN_INTERVAL_MS,
        handler,
        onDone: () => undefined,
      },
      timing: options.timing,
    });
  }

  start(): Promise<void> {
    return this.subscription.start();
  }

  stop(): Promise<void> {
    return this.subscription.stop();
  }

  status(): SubscriptionStatus {
    return this.subscription.status();
  }

  private async locate(partitions: readonly number[]): Promise<ReadonlyMap<number, ReadPosition>> {
    // This order matters: changes published at the first query lie within the watermarks of the last.
    const published = await this.options.published();
    const after = await this.options.after();
    const watermarksByPartition = await this.cluster.readWatermarks(this.cluster.topics.changes);
    const positions = partitions.map(async (partition): Promise<[number, ReadPosition]> => {
      const last = after.get(partition) ?? 0;
      const watermark = watermarksByPartition.get(partition) ?? { low: 0, high: 0 };
      this.seen.set(partition, last);
      this.subscription.delivery.open(partition, last);
      const offset = await this.search(partition, last, watermark);
      const mustHold = offset === watermark.low && (published.get(partition) ?? 0) > last;
      const gap = mustHold ? await this.findGap(partition, last, offset) : undefined;
      return [partition, gap === undefined ? { kind: 'at', offset } : { kind: 'stopped', reason: gap }];
    });
    return new Map(await Promise.all(positions));
  }

  /**
   * Finds an offset that precedes all changes after `last`.
   *
   * It goes back from the end in growing steps until it meets a change that is not too late. A reader with a small lag
   * then skips little. Within a topic, changes only rise by one or jump back. So the records after such an offset
   * cannot miss the next change.
   */
  private async search(partition: number, last: number, { low, high }: TopicWatermarks): Promise<number> {
    const { raw, topics } = this.cluster;
    for (let step = FIRST_STEP; high - step > low; step *= STEP_FACTOR) {
      const message = await raw.firstFrom(topics.changes, partition, high - step);
      const key =
        message === undefined ? undefined : parseChangeKey(partition, message, this.options.identity);
      // A change of another store or epoch says nothing about this store's position.
      if (key !== undefined && key.seq <= last + 1) return high - step;
    }
    return low;
  }

  /** Explains why a topic that is read from its beginning lacks the next change although it was published. */
  private async findGap(partition: number, last: number, low: number): Promise<string | undefined> {
    const message = await this.cluster.raw.firstFrom(this.cluster.topics.changes, partition, low);
    if (message === undefined) return missing(last + 1, 'holds nothing later');
    const key = parseChangeKey(partition, message, this.options.identity);
    if (key === undefined || key.seq <= last + 1) return undefined;
    return missing(last + 1, `begins with ${String(key.seq)}`);
  }

  private take({ partition, messages, isCurrent }: FetchedBatch): void {
    if (!isCurrent()) return;
    const records: IncomingRecord<ChangeKey>[] = [];
    let last = this.seen.get(partition) ?? 0;
    for (const message of messages) {
      const key = parseChangeKey(partition, message, this.options.identity);
      if (key === undefined || key.seq <= last) continue;
      if (key.seq !== last + 1) {
        this.subscription.reader.stopPartition(
          partition,
          missing(last + 1, `goes on with ${String(key.seq)}`),
        );
        return;
      }
      last = key.seq;
      const record: LogRecord<ChangeKey> = {
        partition,
        offset: key.seq,
        content: { kind: 'decoded', value: key },
      };
      records.push({ record, bytes: KEY_BYTES });
    }
    this.seen.set(partition, last);
    if (records.length > 0) this.subscription.delivery.push(partition, records, last);
  }
}

function missing(seq: number, how: string): string {
  return `the topic does not hold change ${String(seq)} any more and ${how}; build the index anew, and give the topic a longer retention`;
}
