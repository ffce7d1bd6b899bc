import type { ProposalEntry } from '@stratalog/model';
import type { LogContent, LogOffset, LogOffsets } from '@stratalog/ports';
import type { KafkaMessage } from 'kafkajs';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import type { TopicWatermarks } from '../cluster/raw-requests';
import type { IncomingRecord } from '../consumer/batch-delivery';
import type {
  DecodedBatch,
  EncodedBatch,
  ReadPosition,
  StoppedPartition,
  TopicSource,
} from '../consumer/topic-source';
import { ProposalReader, type ProposalReaderOptions } from './proposal-reader';

export interface ProposalSourceOptions extends ProposalReaderOptions {
  readonly offsets: LogOffsets;
}

/** The topic of proposals, read from the offsets in the store. */
export class ProposalSource implements TopicSource<ProposalEntry> {
  readonly topic: string;
  readonly groupId: string;
  readonly readUncommitted = false;
  readonly hasKafkaOffsets = true;
  private readonly reader: ProposalReader;

  constructor(
    private readonly cluster: KafkaCluster,
    private readonly options: ProposalSourceOptions,
  ) {
    this.topic = cluster.topics.proposals;
    this.groupId = cluster.toGroupId('writer');
    this.reader = new ProposalReader(options);
  }

  /** Binds partitions with the committed offset 0 to the current topic, then returns their read positions. */
  async locate(partitions: readonly number[], topicId: string): Promise<ReadonlyMap<number, ReadPosition>> {
    const { topic } = this;
    const watermarksByPartition = await this.cluster.readWatermarks(topic);
    let stored = await this.options.offsets.read();
    const unbound = partitions.filter((partition) => {
      const offset = stored.get(partition);
      return offset?.source === undefined && offset?.committedOffset === 0;
    });
    for (const partition of unbound) {
      const committedOffset = watermarksByPartition.get(partition)?.low ?? 0;
      await this.options.offsets.bind({ partition, topic, topicId, committedOffset });
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
        return [partition, position];
      }),
    );
  }

  /** Fails while the schema registry is unavailable: readable records must not become dead letters. */
  async decode({ partition, messages }: EncodedBatch): Promise<DecodedBatch<ProposalEntry>> {
    return { kind: 'decoded', records: toRecords(partition, messages, await this.reader.read(messages)) };
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
  const { committedOffset, source } = offset;
  if (source === undefined) {
    return stop(
      `the store has applied ${String(committedOffset)} records of its embedded log, whose offsets mean nothing in Kafka; ` +
        `start the catalog in the profile that it was used in, or with an empty store`,
    );
  }
  if (source.topicId !== topicId) {
    return stop(
      `the store has applied ${String(committedOffset)} records of topic ${source.topic} with id ${source.topicId}, but ${topic} ` +
        `now has id ${topicId}: it was created again, or is another topic. Bring the former topic back, or use an empty store`,
    );
  }
  if (committedOffset < watermarks.low) {
    return stop(
      `the records from offset ${String(committedOffset)} to ${String(watermarks.low - 1)} were removed before they were applied; ` +
        `produce them again into an empty store, and give the topic a longer retention`,
    );
  }
  if (committedOffset > watermarks.high) {
    return stop(
      `the store has applied ${String(committedOffset)} records, but the topic ends at ${String(watermarks.high)}: it has lost some, ` +
        `or was put back from an older copy`,
    );
  }
  return { kind: 'at', offset: committedOffset, committedOffset };
}

function stop(reason: string): StoppedPartition {
  return { kind: 'stopped', reason };
}
