import { setTimeout as delay } from 'node:timers/promises';
import { UnavailableError, type ProposalEntry, type WriteOutcome } from '@stratalog/model';
import {
  inSlices,
  type Batch,
  type BatchHandler,
  type Subscription,
  type SubscriptionStatus,
  type LogContent,
  type LogOffset,
  type LogOffsets,
} from '@stratalog/ports';
import type { KafkaMessage } from 'kafkajs';
import type { IncomingRecord } from '../consumer/batch-delivery';
import { failedProposalRecordsOf } from './failed-proposal-record';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import type { TopicWatermarks } from '../cluster/raw-requests';
import { ProposalReader, type ProposalReaderOptions } from '../proposal-reader';
import type { RecordSender } from '../producer/record-sender';
import { TopicSubscription } from '../consumer/topic-subscription';
import type { ReadPosition, ReaderTiming, FetchedBatch } from '../consumer/topic-reader-options';

export interface ProposalSubscriptionOptions extends ProposalReaderOptions {
  readonly offsets: LogOffsets;
  readonly maxRecords: number;
  readonly timing?: Partial<ReaderTiming>;
}

const REGISTRY_RETRY_MS = 500;

/** Reads the proposals of the partitions that this process is given, from where the store stands. */
export class ProposalSubscription implements Subscription {
  private readonly subscription: TopicSubscription<ProposalEntry, WriteOutcome>;
  private readonly reader: ProposalReader;
  private decodeTrouble: string | undefined;

  constructor(
    private readonly cluster: KafkaCluster,
    private readonly sender: RecordSender,
    private readonly options: ProposalSubscriptionOptions,
    handler: BatchHandler<ProposalEntry, WriteOutcome>,
  ) {
    this.reader = new ProposalReader(options);
    this.subscription = new TopicSubscription(cluster, {
      reader: {
        topic: cluster.topics.proposals,
        groupId: cluster.groupOf('writer'),
        readUncommitted: false,
        locate: (partitions, topicId) => this.locate(partitions, topicId),
        take: (stretch) => this.take(stretch),
      },
      delivery: {
        maxRecords: options.maxRecords,
        inPairs: true,
        handler,
        onDone: (batch, results) => {
          this.publishDeadLetters(batch, results);
        },
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
    const status = this.subscription.status();
    if (status.state !== 'running' || this.decodeTrouble === undefined) return status;
    return { state: 'retrying', reason: this.decodeTrouble };
  }

  /** Binds partitions that were never applied from to the topic as it is now, then tells where the store stands in it. */
  private async locate(
    partitions: readonly number[],
    topicId: string,
  ): Promise<ReadonlyMap<number, ReadPosition>> {
    const topic = this.cluster.topics.proposals;
    const offsetsByPartition = await this.cluster.offsetsByPartition(topic);
    let stored = await this.options.offsets.read();
    const unbound = partitions.filter((partition) => {
      const offset = stored.get(partition);
      return offset?.source === undefined && offset?.applied === 0;
    });
    for (const partition of unbound) {
      const applied = offsetsByPartition.get(partition)?.low ?? 0;
      await this.options.offsets.bind({ partition, topic, topicId, applied });
    }
    if (unbound.length > 0) stored = await this.options.offsets.read();
    return new Map(
      partitions.map((partition) => {
        const offset = stored.get(partition);
        const place = placeOf({ topic, topicId, extent: offsetsByPartition.get(partition), offset });
        if (place.kind === 'at') this.subscription.delivery.open(partition, place.offset);
        return [partition, place];
      }),
    );
  }

  /** Decoding waits for the schema registry as long as it is away: what it would have read must not be parked. */
  private async take({ partition, messages, next, isCurrent, alive }: FetchedBatch): Promise<void> {
    while (isCurrent()) {
      try {
        const contents = await this.reader.read(messages);
        this.decodeTrouble = undefined;
        if (isCurrent())
          this.subscription.delivery.push(partition, recordsOf(partition, messages, contents), next);
        return;
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        this.decodeTrouble = error.message;
        await alive();
        await delay(REGISTRY_RETRY_MS);
      }
    }
  }

  /**
   * Tells other programs what was set aside. The store has it already; should this be lost with the process, or Kafka be away, the
   * store still tells.
   */
  private publishDeadLetters(batch: Batch<ProposalEntry>, results: readonly WriteOutcome[]): void {
    const { topics } = this.cluster;
    const warn = (error: unknown): void => {
      const text = error instanceof Error ? error.message : String(error);
      this.cluster.warn(`A refused proposal was not told to ${topics.failedProposals}: ${text}`);
    };
    inSlices(failedProposalRecordsOf(topics, batch, results)).then((records) => {
      for (const record of records) this.sender.send(record).catch(warn);
    }, warn);
  }
}

function recordsOf(
  partition: number,
  messages: readonly KafkaMessage[],
  contents: readonly LogContent<ProposalEntry>[],
): readonly IncomingRecord<ProposalEntry>[] {
  return messages.flatMap(({ offset, value }, at) => {
    const content = contents[at];
    if (content === undefined) return [];
    return [{ record: { partition, offset: Number(offset) + 1, content }, bytes: value?.length ?? 0 }];
  });
}

interface Standing {
  readonly topic: string;
  readonly topicId: string;
  readonly extent: TopicWatermarks | undefined;
  readonly offset: LogOffset | undefined;
}

/** Whether the store's offset means something in the topic as it is; else what has happened and what to do. */
function placeOf({ topic, topicId, extent, offset }: Standing): ReadPosition {
  if (extent === undefined || offset === undefined) {
    return stop('the store and the topic have not the same partitions; choose another prefix or topic name');
  }
  const { applied, source } = offset;
  if (source === undefined) {
    return stop(
      `the store has applied ${String(applied)} records of its embedded log, whose offsets mean nothing in Kafka; ` +
        `start the catalog in the profile that it was used in, or with an empty store`,
    );
  }
  if (source.topicId !== topicId) {
    return stop(
      `the store has applied ${String(applied)} records of topic ${source.topic} with id ${source.topicId}, but ${topic} ` +
        `now has id ${topicId}: it was made anew, or is another topic. Bring the former topic back, or use an empty store`,
    );
  }
  if (applied < extent.low) {
    return stop(
      `the records from offset ${String(applied)} to ${String(extent.low - 1)} were removed before they were applied; ` +
        `produce them again into an empty store, and give the topic a longer retention`,
    );
  }
  if (applied > extent.high) {
    return stop(
      `the store has applied ${String(applied)} records, but the topic ends at ${String(extent.high)}: it has lost some, ` +
        `or was put back from an older copy`,
    );
  }
  return { kind: 'at', offset: applied };
}

function stop(reason: string): ReadPosition {
  return { kind: 'stopped', reason };
}
