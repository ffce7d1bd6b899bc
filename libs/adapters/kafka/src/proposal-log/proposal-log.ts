import {
  UnavailableError,
  partitionOf,
  proposalsIn,
  type ProposalEntry,
  type Steps,
  type WriteOutcome,
  type UrnOfKey,
} from '@stratalog/model';
import type {
  ConsumerProgress,
  Batch,
  BatchHandler,
  Subscription,
  LogOffsets,
  LogPosition,
  ProposalLog,
  SchemaRegistry,
  SubmittingLog,
} from '@stratalog/ports';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import { TopicSubscription } from '../consumer/topic-subscription';
import { ProposalSource } from './proposal-source';
import { toFailedProposalRecords } from './failed-proposal-record';
import { toProposalRecord } from './proposal-record';
import { RecordSender, type OutgoingRecord } from '../producer/record-sender';
import type { ReaderTiming } from '../consumer/topic-source';

export interface KafkaProposalLogOptions {
  /** Stores how far the store has applied the log; only reading needs it. */
  readonly offsets: LogOffsets;
  /** Maximum number of proposals per commit. */
  readonly maxRecords: number;
  /** Urn of the actor for records that other programs have written. */
  readonly unknownActor?: string;
  /** Derives the urn of a proposal that names its entity by key. Without it such records become dead letters. */
  readonly urnOfKey?: UrnOfKey;
  /** Registry of the schemas of Avro records. Without it such records become dead letters. */
  readonly registry?: SchemaRegistry;
  readonly timing?: Partial<ReaderTiming>;
}

const UNKNOWN_ACTOR = 'urn:li:corpuser:UNKNOWN';

/**
 * The proposal log as a Kafka topic.
 *
 * A record goes to the Kafka partition with the number of its urn's store partition. Writers of different log
 * partitions then do not wait for each other. Records that other producers put elsewhere are applied as well.
 *
 * The port's offset is Kafka's offset plus one.
 */
export class KafkaProposalLog implements ProposalLog, SubmittingLog {
  private readonly sender: RecordSender;

  constructor(
    private readonly cluster: KafkaCluster,
    private readonly options: KafkaProposalLogOptions,
  ) {
    this.sender = new RecordSender(cluster.client);
  }

  async append(entries: readonly ProposalEntry[]): Promise<readonly LogPosition[]> {
    const positions = await this.sender.send(this.toRecords(entries));
    return positions.map(({ partition, offset }) => ({ partition, offset: offset + 1 }));
  }

  async appendAwaited(entry: ProposalEntry): Promise<LogPosition> {
    const [position] = await this.append([entry]);
    if (position === undefined) throw new UnavailableError('The log did not take the proposal');
    return position;
  }

  async progress(): Promise<ConsumerProgress> {
    const [watermarksByPartition, stored] = await Promise.all([
      this.cluster.readWatermarks(this.cluster.topics.proposals),
      this.options.offsets.read(),
    ]);
    return new Map(
      [...watermarksByPartition].map(([partition, { low, high }]) => [
        partition,
        { committedOffset: Math.max(low, stored.get(partition)?.committedOffset ?? 0), endOffset: high },
      ]),
    );
  }

  consume(handler: BatchHandler<ProposalEntry, WriteOutcome>): Subscription {
    const { unknownActor = UNKNOWN_ACTOR, maxRecords, timing } = this.options;
    return new TopicSubscription(this.cluster, {
      source: new ProposalSource(this.cluster, { ...this.options, unknownActor }),
      delivery: {
        maxRecords,
        twoInFlight: true,
        handler,
        onDone: (batch, results) => {
          this.publishRejected(batch, results);
        },
      },
      timing,
    });
  }

  /** Resolves after all appended entries were sent or have failed. */
  close(): Promise<void> {
    return this.sender.close();
  }

  private *toRecords(entries: readonly ProposalEntry[]): Steps<readonly OutgoingRecord[]> {
    const { topics, partitions } = this.cluster;
    const records: OutgoingRecord[] = [];
    for (const entry of entries) {
      const [{ urn: key }] = proposalsIn(entry);
      const partition = partitionOf(key, partitions);
      records.push({ topic: topics.proposals, partition, key, ...(yield* toProposalRecord(entry)) });
    }
    return records;
  }

  /**
   * Publishes the rejected proposals of a batch to other programs.
   *
   * The store already holds the dead letters. If this process ends or Kafka is unavailable, only the publication is
   * lost.
   */
  private publishRejected(batch: Batch<ProposalEntry>, results: readonly WriteOutcome[]): void {
    const { topics } = this.cluster;
    this.sender.send(toFailedProposalRecords(topics, batch, results)).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      this.cluster.warn(`Rejected proposals were not published to ${topics.failedProposals}: ${text}`);
    });
  }
}
