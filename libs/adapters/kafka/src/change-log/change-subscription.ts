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
import { changeKeyIn } from './change-record-message';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import type { TopicWatermarks } from '../cluster/raw-requests';
import { TopicSubscription } from '../consumer/topic-subscription';
import type { ReadPosition, ReaderTiming, FetchedBatch } from '../consumer/topic-reader-options';

export interface KafkaChangeLogOptions {
  readonly identity: StoreIdentity;
  /** What the relay knows to be published; tells a topic that holds nothing new from one that has lost something. */
  readonly published: () => Promise<PartitionSequences>;
  readonly timing?: Partial<ReaderTiming>;
}

/**
 * Of batches. What follows changes makes each batch findable, or durable, by requests that cost the same for one change and for
 * hundreds. A little shorter than the relay's rounds, so that a batch begins when one arrives.
 */
const PACE_MS = 80;
/** The search for a place goes back from the end of the topic by so many records first, then by ever more. */
const FIRST_STEP = 64;
const STEP_FACTOR = 4;
/** Of a change that waits only the key is kept. */
const KEY_BYTES = 200;

/** Reads the changes of the partitions that this process is given, from after what the reader has already. */
export class ChangeSubscription implements Subscription {
  private readonly subscription: TopicSubscription<ChangeKey, void>;
  /** Last change of each partition that was taken or is known to the reader. */
  private readonly seen = new Map<number, number>();

  constructor(
    private readonly cluster: KafkaCluster,
    private readonly options: KafkaChangeLogOptions & ChangeConsumerOptions,
    handler: BatchHandler<ChangeKey, void>,
  ) {
    this.subscription = new TopicSubscription(cluster, {
      reader: {
        topic: cluster.topics.changes,
        groupId: cluster.groupOf(options.name),
        // Whatever a relay has written is a change that the store has committed, and is known by its position. To wait for the end of
        // its transaction would be to wait for ever when a broker that was killed has forgotten to write it.
        readUncommitted: true,
        locate: (partitions) => this.locate(partitions),
        take: (stretch) => {
          this.take(stretch);
        },
      },
      delivery: { maxRecords: options.maxRecords, paceMs: PACE_MS, handler, onDone: () => undefined },
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
    // In this order: what was published when we asked lies within the extents that we then see.
    const published = await this.options.published();
    const after = await this.options.after();
    const offsetsByPartition = await this.cluster.offsetsByPartition(this.cluster.topics.changes);
    const places = partitions.map(async (partition): Promise<[number, ReadPosition]> => {
      const last = after.get(partition) ?? 0;
      const extent = offsetsByPartition.get(partition) ?? { low: 0, high: 0 };
      this.seen.set(partition, last);
      this.subscription.delivery.open(partition, last);
      const offset = await this.search(partition, last, extent);
      const mustHold = offset === extent.low && (published.get(partition) ?? 0) > last;
      const gap = mustHold ? await this.gapAt(partition, last, offset) : undefined;
      return [partition, gap === undefined ? { kind: 'at', offset } : { kind: 'stopped', reason: gap }];
    });
    return new Map(await Promise.all(places));
  }

  /**
   * An offset from which everything after `last` comes. It goes back from the end in growing steps until it meets a change that is
   * not too late, so a reader that is nearly caught up has little to skip. Within a topic changes only ever go up by one
   * or jump back, so what follows such a place does not leave the next one out.
   */
  private async search(partition: number, last: number, { low, high }: TopicWatermarks): Promise<number> {
    const { raw, topics } = this.cluster;
    for (let step = FIRST_STEP; high - step > low; step *= STEP_FACTOR) {
      const found = await raw.firstFrom(topics.changes, partition, high - step);
      const key = found === undefined ? undefined : changeKeyIn(partition, found, this.options.identity);
      // One of another store or epoch tells nothing about ours.
      if (key !== undefined && key.seq <= last + 1) return high - step;
    }
    return low;
  }

  /** Why a topic that is read from its beginning does not hold the next change, though it was published. */
  private async gapAt(partition: number, last: number, low: number): Promise<string | undefined> {
    const found = await this.cluster.raw.firstFrom(this.cluster.topics.changes, partition, low);
    if (found === undefined) return missing(last + 1, 'holds nothing later');
    const key = changeKeyIn(partition, found, this.options.identity);
    if (key === undefined || key.seq <= last + 1) return undefined;
    return missing(last + 1, `begins with ${String(key.seq)}`);
  }

  private take({ partition, messages, isCurrent }: FetchedBatch): void {
    if (!isCurrent()) return;
    const records: IncomingRecord<ChangeKey>[] = [];
    let last = this.seen.get(partition) ?? 0;
    for (const message of messages) {
      const key = changeKeyIn(partition, message, this.options.identity);
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
