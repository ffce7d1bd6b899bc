import { InvalidRequestError } from '@stratalog/domain';
import type {
  LogAdoption,
  LogOffset,
  LogOffsets,
  LogPartitionState,
  LogRecovery,
  LogRestart,
} from '@stratalog/ports';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import {
  adoptedIdentity,
  judgePartition,
  parseTopicId,
  toLostTail,
  type MovedPartition,
} from './judge-partition';

interface JudgedPartition {
  readonly partition: number;
  readonly offset: LogOffset;
  readonly endOffset: number;
  readonly moved: MovedPartition | undefined;
}

/** The topic of proposals, for the operator who decides about it after it moved. */
export class KafkaLogRecovery implements LogRecovery {
  private readonly topic: string;

  constructor(
    private readonly cluster: KafkaCluster,
    private readonly offsets: LogOffsets,
  ) {
    this.topic = cluster.topics.proposals;
  }

  async inspect(): Promise<readonly LogPartitionState[]> {
    const { partitions } = await this.judge();
    return partitions.map(({ partition, offset, endOffset, moved }) => ({
      partition,
      committedOffset: offset.committedOffset,
      endOffset,
      ...(moved === undefined ? {} : { reason: moved.reason }),
      ...(offset.stop === undefined ? {} : { reason: offset.stop.reason, sinceMs: offset.stop.sinceMs }),
    }));
  }

  async planAdoption(): Promise<LogAdoption> {
    return this.toAdoption((await this.judge()).partitions);
  }

  async adopt(): Promise<LogAdoption> {
    const { topicId, partitions } = await this.judge();
    const adoption = this.toAdoption(partitions);
    await this.offsets.restart(
      partitions.flatMap(({ partition, offset, moved }): LogRestart[] => {
        if (moved === undefined) return [];
        const { log, committedOffset, continuesAfter, newFrom = Infinity } = moved;
        const isSame = parseTopicId(log) === topicId;
        const adopted = {
          topic: this.topic,
          topicId: adoptedIdentity(topicId, log),
          committedOffset: continuesAfter,
          ahead: isSame ? offset.ahead.filter((each) => each > continuesAfter && each <= newFrom) : [],
        };
        return [{ partition, former: { log, committedOffset }, to: adopted }];
      }),
    );
    return adoption;
  }

  async resume(): Promise<readonly number[]> {
    const { topicId, partitions } = await this.judge();
    const stopped = partitions.filter(({ offset }) => offset.stop !== undefined);
    if (stopped.length === 0) throw new InvalidRequestError('No partition of the log is stopped');
    for (const each of stopped) await this.requireFormer(each, topicId);
    await this.offsets.restart(
      stopped.flatMap(({ partition, offset: { source, committedOffset, ahead } }): LogRestart[] => {
        if (source === undefined) return [];
        const former = { log: source.topicId, committedOffset };
        return [{ partition, former, to: { ...source, committedOffset, ahead } }];
      }),
    );
    return stopped.map(({ partition }) => partition);
  }

  private async judge(): Promise<{ topicId: string; partitions: readonly JudgedPartition[] }> {
    const { topic } = this;
    // First: a log only grows, so offsets that were read before lie within its ends.
    const offsets = await this.offsets.read();
    const { id: topicId } = await this.cluster.raw.describeTopic(topic);
    const watermarksByPartition = await this.cluster.readWatermarks(topic);
    const partitions = [...offsets].map(([partition, offset]): JudgedPartition => {
      const watermarks = watermarksByPartition.get(partition);
      const judgement = judgePartition({ topic, topicId, watermarks, offset });
      const moved = judgement.kind === 'moved' ? judgement : undefined;
      const { low = 0, high = 0 } = watermarks ?? {};
      return { partition, offset, endOffset: high, moved: withStop(offset, moved, { low, high }) };
    });
    return { topicId, partitions: partitions.sort((one, other) => one.partition - other.partition) };
  }

  private toAdoption(partitions: readonly JudgedPartition[]): LogAdoption {
    const adopted = partitions.flatMap(({ partition, moved }) => {
      if (moved === undefined) return [];
      const { reason, committedOffset, lost, continuesAfter } = moved;
      return [{ partition, reason, committedOffset, lost, continuesAfter }];
    });
    if (adopted.length === 0)
      throw new InvalidRequestError(
        'The log has not moved: no partition is stopped, and there is nothing to adopt',
      );
    return { topic: this.topic, partitions: adopted };
  }

  /** A log that has grown past the offset of the store again looks whole; the age of its records tells. */
  private async requireFormer({ partition, offset }: JudgedPartition, topicId: string): Promise<void> {
    const { topic } = this;
    const watermarks = (await this.cluster.readWatermarks(topic)).get(partition);
    const judgement = judgePartition({ topic, topicId, watermarks, offset });
    if (judgement.kind !== 'whole')
      throw new InvalidRequestError(
        `Partition ${String(partition)} of ${topic} is not as the store knows it: ${judgement.reason}`,
      );
    const { newFrom, sinceMs } = offset.stop ?? { sinceMs: Infinity };
    if (newFrom === undefined || newFrom >= offset.seenEnd) return;
    const message = await this.cluster.raw.firstFrom(topic, partition, newFrom);
    if (message === undefined || Number(message.timestamp) < sinceMs) return;
    throw new InvalidRequestError(
      `Partition ${String(partition)} of ${topic} is not the former log: its record at offset ${message.offset} was written after the log ` +
        `had lost the records from ${String(newFrom)} on`,
    );
  }
}

/** A log that lost its tail and has grown since looks whole, so the end that was found at the stop counts. */
function withStop(
  offset: LogOffset,
  moved: MovedPartition | undefined,
  { low, high }: { readonly low: number; readonly high: number },
): MovedPartition | undefined {
  const { stop, source, committedOffset } = offset;
  if (stop === undefined || source === undefined) return moved;
  if (stop.newFrom !== undefined && (moved === undefined || moved.newFrom !== undefined)) {
    const newFrom = Math.max(low, Math.min(stop.newFrom, high));
    return { kind: 'moved', log: source.topicId, committedOffset, ...toLostTail(offset, newFrom) };
  }
  const unmoved = { kind: 'moved', log: source.topicId, committedOffset, lost: 0 } as const;
  return moved ?? { ...unmoved, reason: stop.reason, continuesAfter: committedOffset };
}
