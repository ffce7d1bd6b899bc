import {
  UnavailableError,
  partitionOf,
  proposalsIn,
  type ProposalEntry,
  type WriteOutcome,
  type UrnOfKey,
} from '@stratalog/domain';
import type { Steps } from '@stratalog/json';
import { systemClock } from '@stratalog/concurrency';
import type {
  AwaitedPosition,
  ConsumerProgress,
  Batch,
  BatchHandler,
  Clock,
  Subscription,
  LogOffsets,
  LoggedPosition,
  ProposalLog,
  SchemaRegistry,
  SubmittingLog,
} from '@stratalog/ports';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import { TopicSubscription } from '../consumer/topic-subscription';
import { LogGuard, type LogView } from './log-guard';
import { ProposalSource } from './proposal-source';
import { toFailedProposalRecords } from './failed-proposal-record';
import { toProposalRecord } from './proposal-record';
import { RecordSender, UNGUARDED, type OutgoingRecord } from '../producer/record-sender';
import type { ReaderTiming } from '../consumer/topic-source';

export interface KafkaProposalLogOptions {
  /** Stores how far the store has applied the log. */
  readonly offsets: LogOffsets;
  /** Default: the system's. */
  readonly clock?: Pick<Clock, 'now'>;
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
  /** Proposals of other urns pass patches that wait, so this bounds the work alone. */
  readonly maxPatchedBytes = 1_000_000_000;
  private readonly guard: LogGuard;
  private readonly sender: RecordSender<LogView>;
  /** Publishes rejected proposals, also while the log is stopped. */
  private readonly publisher: RecordSender;
  private readonly clock: Pick<Clock, 'now'>;

  constructor(
    private readonly cluster: KafkaCluster,
    private readonly options: KafkaProposalLogOptions,
  ) {
    this.clock = options.clock ?? systemClock;
    this.guard = new LogGuard(cluster, { offsets: options.offsets, clock: this.clock });
    this.sender = new RecordSender(cluster.client, this.guard);
    this.publisher = new RecordSender(cluster.client, UNGUARDED);
  }

  async append(entries: readonly ProposalEntry[]): Promise<readonly LoggedPosition[]> {
    const sent = await this.sender.send(this.toRecords(entries));
    return Promise.all(sent.map((position) => this.guard.confirm(position, false)));
  }

  async appendAwaited(entry: ProposalEntry): Promise<AwaitedPosition> {
    const [sent] = await this.sender.send(this.toRecords([entry]));
    if (sent === undefined) throw new UnavailableError('The log did not take the proposal');
    return this.guard.confirm(sent, true);
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
      source: new ProposalSource(this.cluster, { ...this.options, unknownActor, clock: this.clock }),
      delivery: {
        maxRecords,
        twoInFlight: true,
        urnsOf: (entry) => proposalsIn(entry).map(({ urn }) => urn),
        handler,
        onDone: (batch, results) => {
          this.publishRejected(batch, results);
        },
      },
      timing,
    });
  }

  /** Resolves after all appended entries were sent or have failed. */
  async close(): Promise<void> {
    await Promise.all([this.sender.close(), this.publisher.close()]);
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
    this.publisher.send(toFailedProposalRecords(topics, batch, results)).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      this.cluster.warn(`Rejected proposals were not published to ${topics.failedProposals}: ${text}`);
    });
  }
}
