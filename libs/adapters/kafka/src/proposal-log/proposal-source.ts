import { proposalsIn, type ProposalEntry } from '@stratalog/domain';
import { isJsonObject, type JsonValue } from '@stratalog/json';
import type { Clock, LogContent, LogOffset, LogOffsets } from '@stratalog/ports';
import type { KafkaMessage } from 'kafkajs';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import type { TopicWatermarks } from '../cluster/raw-requests';
import type { IncomingRecord } from '../consumer/partition-queue';
import type {
  DecodedBatch,
  EncodedBatch,
  ReadPosition,
  StoppedPartition,
  TopicSource,
} from '../consumer/topic-source';
import { REMEDY, judgePartition, type Judgement } from './judge-partition';
import { ProposalReader, type ProposalReaderOptions } from './proposal-reader';

export interface ProposalSourceOptions extends ProposalReaderOptions {
  readonly offsets: LogOffsets;
  readonly clock: Pick<Clock, 'now'>;
}

/** The topic of proposals, read from the offsets in the store. */
export class ProposalSource implements TopicSource<ProposalEntry> {
  readonly topic: string;
  readonly groupId: string;
  readonly readUncommitted = false;
  readonly hasKafkaOffsets = true;
  private readonly reader: ProposalReader;
  /** The ends that this process has seen. */
  private readonly seenEnds = new Map<number, number>();

  constructor(
    private readonly cluster: KafkaCluster,
    private readonly options: ProposalSourceOptions,
  ) {
    this.topic = cluster.topics.proposals;
    this.groupId = cluster.toGroupId('writer');
    this.reader = new ProposalReader(options);
  }

  /**
   * Binds partitions with the committed offset 0 to the current topic, then returns their read positions. A partition whose log moved is
   * stopped in the store, and stays so until an operator decides.
   */
  async locate(partitions: readonly number[], topicId: string): Promise<ReadonlyMap<number, ReadPosition>> {
    const { topic } = this;
    const { offsets } = this.options;
    // In this order: a log only grows, so offsets that were read before lie within its ends.
    const stored = await offsets.read();
    const watermarksByPartition = await this.cluster.readWatermarks(topic);
    const unbound = partitions.filter((partition) => {
      const offset = stored.get(partition);
      return offset?.source === undefined && offset?.committedOffset === 0;
    });
    for (const partition of unbound) {
      const committedOffset = watermarksByPartition.get(partition)?.low ?? 0;
      await offsets.bind({ partition, topic, topicId, committedOffset });
    }
    if (unbound.length > 0) return this.locate(partitions, topicId);
    const judged = partitions.map((partition) => {
      const offset = stored.get(partition);
      const watermarks = watermarksByPartition.get(partition);
      return { partition, offset, judgement: judgePartition({ topic, topicId, watermarks, offset }) };
    });
    const stops = judged.flatMap(({ partition, offset, judgement }) =>
      judgement.kind === 'moved' && offset?.stop === undefined
        ? [{ partition, sinceMs: this.options.clock.now(), ...judgement }]
        : [],
    );
    if (stops.length > 0) await offsets.stop(stops);
    return new Map(
      judged.map(({ partition, offset, judgement }) => [partition, toPosition(judgement, offset)]),
    );
  }

  /** Stores the ends of the log, and finds the partitions that ended later before. */
  async check(
    watermarksByPartition: ReadonlyMap<number, TopicWatermarks>,
    topicId: string,
  ): Promise<ReadonlySet<number>> {
    const shrunk = new Set<number>();
    const grown = new Map<number, number>();
    for (const [partition, { high }] of watermarksByPartition) {
      const seen = this.seenEnds.get(partition) ?? 0;
      if (high < seen) shrunk.add(partition);
      else if (high > seen) grown.set(partition, high);
    }
    if (grown.size > 0) await this.options.offsets.noteEnds(topicId, grown);
    for (const [partition, end] of grown) this.seenEnds.set(partition, end);
    for (const partition of shrunk) this.seenEnds.delete(partition);
    return shrunk;
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
    const bytes = Math.max(value?.length ?? 0, countHeldBytes(content));
    return [{ record: { partition, offset: Number(offset) + 1, content }, bytes }];
  });
}

/** Estimated memory of an entry of a map; it may have three bytes in its record. */
const MEMBER_BYTES = 100;

/** Estimates the memory of what a decoded record holds besides its texts. */
function countHeldBytes(content: LogContent<ProposalEntry>): number {
  if (content.kind !== 'decoded') return 0;
  return proposalsIn(content.value).reduce(
    (sum, { systemMetadata = {}, headers = {} }) =>
      sum + MEMBER_BYTES * (10 + countMembers(systemMetadata) + Object.keys(headers).length),
    0,
  );
}

function countMembers(value: JsonValue): number {
  if (Array.isArray(value))
    return value.reduce<number>((sum, each) => sum + countMembers(each), value.length);
  if (!isJsonObject(value)) return 0;
  const members = Object.values(value);
  return members.reduce<number>((sum, each) => sum + countMembers(each), members.length);
}

function toPosition(judgement: Judgement, offset: LogOffset | undefined): ReadPosition {
  if (offset?.stop !== undefined) return stop(`${offset.stop.reason}. ${REMEDY}`);
  switch (judgement.kind) {
    case 'whole':
      return {
        kind: 'at',
        offset: judgement.committedOffset,
        committedOffset: judgement.committedOffset,
        ahead: offset?.ahead ?? [],
      };
    case 'unusable':
      return stop(judgement.reason);
    case 'moved':
      return stop(`${judgement.reason}. ${REMEDY}`);
  }
}

function stop(reason: string): StoppedPartition {
  return { kind: 'stopped', reason };
}
