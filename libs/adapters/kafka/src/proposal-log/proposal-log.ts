import {
  partitionOf,
  proposalsIn,
  type ProposalEntry,
  type WriteOutcome,
  type UrnOfKey,
} from '@stratalog/model';
import {
  inSlices,
  type Appended,
  type BatchHandler,
  type Subscription,
  type LogOffsets,
  type ProposalLog,
  type SchemaRegistry,
} from '@stratalog/ports';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import { ProposalSubscription } from './proposal-subscription';
import { toProposalRecord } from './proposal-record';
import { RecordSender, type OutgoingRecord } from '../producer/record-sender';
import type { ReaderTiming } from '../consumer/topic-reader-options';

export interface KafkaProposalLogOptions {
  /** Where the store keeps how far it has applied the log; only reading needs it. */
  readonly offsets: LogOffsets;
  /** At most this many proposals share one commit. */
  readonly maxRecords: number;
  /** Urn of whom records are attributed to that other programs have written. */
  readonly unknownActor?: string;
  /** What names an entity by its key gets its urn from here; without it such records are parked. */
  readonly urnOfKey?: UrnOfKey;
  /** Where the schemas of Avro records are; without it such records are parked. */
  readonly registry?: SchemaRegistry;
  readonly timing?: Partial<ReaderTiming>;
}

const UNKNOWN_ACTOR = 'urn:li:corpuser:UNKNOWN';

/**
 * The proposal log as a Kafka topic. A record lies in the partition of the store that its urn lives in, so that writers of
 * different log partitions do not wait for each other; what other producers put elsewhere is applied just as well.
 *
 * Positions are answered without outcome: it is the writer, wherever it runs, that applies. Our offset is Kafka's plus one.
 */
export class KafkaProposalLog implements ProposalLog {
  private readonly sender: RecordSender;

  constructor(
    private readonly cluster: KafkaCluster,
    private readonly options: KafkaProposalLogOptions,
  ) {
    this.sender = new RecordSender(cluster.client);
  }

  /** Whoever waits finds the outcome in the store. */
  async append(entries: readonly ProposalEntry[]): Promise<readonly Appended[]> {
    const { topics, partitions } = this.cluster;
    const records: OutgoingRecord[] = [];
    for (const entry of entries) {
      const [{ urn: key }] = proposalsIn(entry);
      const partition = partitionOf(key, partitions);
      records.push({
        topic: topics.proposals,
        partition,
        key,
        ...(await inSlices(toProposalRecord(entry))),
      });
    }
    const sent = await Promise.allSettled(records.map((record) => this.sender.send(record)));
    return sent.map((result, at): Appended => {
      if (result.status === 'rejected') throw result.reason;
      const { partition } = records[at] ?? { partition: -1 };
      return { position: { partition, offset: result.value + 1 } };
    });
  }

  async lag(): Promise<number> {
    const [offsetsByPartition, stored] = await Promise.all([
      this.cluster.offsetsByPartition(this.cluster.topics.proposals),
      this.options.offsets.read(),
    ]);
    let missing = 0;
    for (const [partition, { low, high }] of offsetsByPartition)
      missing += Math.max(0, high - Math.max(low, stored.get(partition)?.applied ?? 0));
    return missing;
  }

  consume(handler: BatchHandler<ProposalEntry, WriteOutcome>): Subscription {
    const { unknownActor = UNKNOWN_ACTOR } = this.options;
    return new ProposalSubscription(this.cluster, this.sender, { ...this.options, unknownActor }, handler);
  }

  /** Ends after everything that was handed to `append` has been sent or has failed. */
  close(): Promise<void> {
    return this.sender.close();
  }
}
