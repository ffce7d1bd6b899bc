import { setTimeout as delay } from 'node:timers/promises';
import { UnavailableError, type ProposalEntry, type WriteOutcome } from '@stratalog/model';
import {
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
import { toFailedProposalRecords } from './failed-proposal-record';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import type { TopicWatermarks } from '../cluster/raw-requests';
import { ProposalReader, type ProposalReaderOptions } from './proposal-reader';
import type { RecordSender } from '../producer/record-sender';
import { TopicSubscription } from '../consumer/topic-subscription';
import type { ReadPosition, ReaderTiming, FetchedBatch } from '../consumer/topic-reader-options';

export interface ProposalSubscriptionOptions extends ProposalReaderOptions {
  readonly offsets: LogOffsets;
  readonly maxRecords: number;
  readonly timing?: Partial<ReaderTiming>;
}

const REGISTRY_RETRY_MS = 500;

/** Reads the proposals of the partitions that are assigned to this process, from the offsets in the store. */
export class ProposalSubscription implements Subscription {
  private readonly subscription: TopicSubscription<ProposalEntry, WriteOutcome>;
  private readonly reader: ProposalReader;
  private registryFailure: string | undefined;

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
        groupId: cluster.toGroupId('writer'),
        readUncommitted: false,
        locate: (partitions, topicId) => this.locate(partitions, topicId),
        take: (batch) => this.take(batch),
      },
      delivery: {
        maxRecords: options.maxRecords,
        twoInFlight: true,
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
    if (status.state !== 'running' || this.registryFailure === undefined) return status;
    return { state: 'retrying', reason: this.registryFailure };
  }

  /** Binds partitions without applied records to the current topic, then returns their read positions. */
  private async locate(
    partitions: readonly number[],
    topicId: string,
  ): Promise<ReadonlyMap<number, ReadPosition>> {
    const topic = this.cluster.topics.proposals;
    const watermarksByPartition = await this.cluster.readWatermarks(topic);
    let stored = await this.options.offsets.read();
    const unbound = partitions.filter((partition) => {
      const offset = stored.get(partition);
      return offset?.source === undefined && offset?.applied === 0;
    });
    for (const partition of unbound) {
      const applied = watermarksByPartition.get(partition)?.low ?? 0;
      await this.options.offsets.bind({ partition, topic, topicId, applied });
    }
    if (unbound.length > 0) stored = await this.options.offsets.read();
    return new Map(
      partitions.map((partition) => {
        const offset = stored.get(partition);
        const position = resolvePosition({
          topic,
          topicId,
          watermarks: watermarksByPartition.get(partition),
          offset,
        });
        if (position.kind === 'at') this.subscription.delivery.open(partition, position.offset);
        return [partition, position];
      }),
    );
  }

  /** Waits for the schema registry while it is unavailable: readable records must not become dead letters. */
  private async take({ partition, messages, next, isCurrent, heartbeat }: FetchedBatch): Promise<void> {
    while (isCurrent()) {
      try {
        const contents = await this.reader.read(messages);
        this.registryFailure = undefined;
        if (isCurrent())
          this.subscription.delivery.push(partition, toRecords(partition, messages, contents), next);
        return;
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        this.registryFailure = error.message;
        await heartbeat();
        await delay(REGISTRY_RETRY_MS);
      }
    }
  }

  /**
   * Publishes the rejected proposals of a batch to other programs.
   *
   * The store already holds the dead letters. If this process ends or Kafka is unavailable, only the publication is
   * lost.
   */
  private publishDeadLetters(batch: Batch<ProposalEntry>, results: readonly WriteOutcome[]): void {
    const { topics } = this.cluster;
    this.sender.send(toFailedProposalRecords(topics, batch, results)).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      this.cluster.warn(`Rejected proposals were not published to ${topics.failedProposals}: ${text}`);
    });
  }
}

function toRecords(
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

interface PartitionState {
  readonly topic: string;
  readonly topicId: string;
  readonly watermarks: TopicWatermarks | undefined;
  readonly offset: LogOffset | undefined;
}

/** Checks that the store's offset is valid in the current topic. Otherwise returns the reason and the remedy. */
function resolvePosition({ topic, topicId, watermarks, offset }: PartitionState): ReadPosition {
  if (watermarks === undefined || offset === undefined) {
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
  if (applied < watermarks.low) {
    return stop(
      `the records from offset ${String(applied)} to ${String(watermarks.low - 1)} were removed before they were applied; ` +
        `produce them again into an empty store, and give the topic a longer retention`,
    );
  }
  if (applied > watermarks.high) {
    return stop(
      `the store has applied ${String(applied)} records, but the topic ends at ${String(watermarks.high)}: it has lost some, ` +
        `or was put back from an older copy`,
    );
  }
  return { kind: 'at', offset: applied };
}

function stop(reason: string): ReadPosition {
  return { kind: 'stopped', reason };
}
