import type { ChangeKey, PartitionSequences } from '@stratalog/domain';
import type { ChangeConsumerOptions, StoreIdentity } from '@stratalog/ports';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import type { TopicWatermarks } from '../cluster/raw-requests';
import type { IncomingRecord } from '../consumer/partition-queue';
import type {
  DecodedBatch,
  EncodedBatch,
  ReadPosition,
  ReaderTiming,
  StoppedPartition,
  TopicSource,
} from '../consumer/topic-source';
import { parseChangeKey } from './change-record-message';

export interface KafkaChangeLogOptions {
  /** Reads the identity that the store has now: its epoch may be raised. */
  readonly identity: () => StoreIdentity;
  /** Reads the published positions. They tell a topic without new changes from one that has lost some. */
  readonly published: () => Promise<PartitionSequences>;
  readonly timing?: Partial<ReaderTiming>;
}

/** The search for a position goes back from the end of the topic by this many records, then by ever more. */
const FIRST_STEP = 64;
const STEP_FACTOR = 4;
/** Estimated size of a waiting change, of which only the key is kept. */
const KEY_BYTES = 200;

/** The topic of changes, read after the checkpoint of a consumer. */
export class ChangeSource implements TopicSource<ChangeKey> {
  readonly topic: string;
  readonly groupId: string;
  /**
   * A relay writes only changes that the store has committed, and their positions identify them. Waiting for the end of
   * a transaction could last forever, when a killed broker never wrote it.
   */
  readonly readUncommitted = true;
  readonly hasKafkaOffsets = false;

  constructor(
    private readonly cluster: KafkaCluster,
    private readonly options: KafkaChangeLogOptions & Pick<ChangeConsumerOptions, 'name' | 'after' | 'onGap'>,
  ) {
    this.topic = cluster.topics.changes;
    this.groupId = cluster.toGroupId(options.name);
  }

  async locate(partitions: readonly number[]): Promise<ReadonlyMap<number, ReadPosition>> {
    // This order matters: changes published at the first query lie within the watermarks of the last.
    const published = await this.options.published();
    const after = await this.options.after();
    const watermarksByPartition = await this.cluster.readWatermarks(this.topic);
    const positions = partitions.map(async (partition): Promise<[number, ReadPosition]> => {
      const last = after.get(partition) ?? 0;
      const watermark = watermarksByPartition.get(partition) ?? { low: 0, high: 0 };
      const offset = await this.search(partition, last, watermark);
      const mustHold = offset === watermark.low && (published.get(partition) ?? 0) > last;
      const gap = mustHold ? await this.findGap(partition, last, offset) : undefined;
      return [
        partition,
        gap === undefined ? { kind: 'at', offset, committedOffset: last } : this.stopAtGap(gap),
      ];
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
    const { raw } = this.cluster;
    for (let step = FIRST_STEP; high - step > low; step *= STEP_FACTOR) {
      const message = await raw.firstFrom(this.topic, partition, high - step);
      const key =
        message === undefined ? undefined : parseChangeKey(partition, message, this.options.identity());
      // A change of another store or epoch says nothing about this store's position.
      if (key !== undefined && key.seq <= last + 1) return high - step;
    }
    return low;
  }

  /** Explains why a topic that is read from its beginning lacks the next change although it was published. */
  private async findGap(partition: number, last: number, low: number): Promise<string | undefined> {
    const message = await this.cluster.raw.firstFrom(this.topic, partition, low);
    if (message === undefined) return missing(last + 1, 'holds nothing later');
    const key = parseChangeKey(partition, message, this.options.identity());
    if (key === undefined || key.seq <= last + 1) return undefined;
    return missing(last + 1, `begins with ${String(key.seq)}`);
  }

  private stopAtGap(reason: string): StoppedPartition {
    this.options.onGap?.();
    return { kind: 'stopped', reason };
  }

  decode({ partition, messages, after }: EncodedBatch): DecodedBatch<ChangeKey> {
    const records: IncomingRecord<ChangeKey>[] = [];
    let last = after;
    for (const message of messages) {
      const key = parseChangeKey(partition, message, this.options.identity());
      if (key === undefined || key.seq <= last) continue;
      if (key.seq !== last + 1) return this.stopAtGap(missing(last + 1, `goes on with ${String(key.seq)}`));
      last = key.seq;
      const content = { kind: 'decoded', value: key } as const;
      records.push({ record: { partition, offset: key.seq, content }, bytes: KEY_BYTES });
    }
    return { kind: 'decoded', records };
  }
}

function missing(seq: number, how: string): string {
  return `the topic does not hold change ${String(seq)} any more and ${how}; rebuild the index, and give the topic a longer retention`;
}
