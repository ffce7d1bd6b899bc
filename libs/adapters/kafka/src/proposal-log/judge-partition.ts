import type { LogOffset } from '@stratalog/ports';
import type { TopicWatermarks } from '../cluster/raw-requests';

/** The state of one partition in the store and in the topic. */
export interface PartitionFacts {
  readonly topic: string;
  readonly topicId: string;
  readonly watermarks: TopicWatermarks | undefined;
  readonly offset: LogOffset | undefined;
}

export type Judgement =
  | { readonly kind: 'whole'; readonly committedOffset: number }
  /** The store and the topic do not belong together; another setting is the remedy. */
  | { readonly kind: 'unusable'; readonly reason: string }
  | MovedPartition;

/** The topic is not the log that the store has applied, or has lost a part of it. */
export interface MovedPartition {
  readonly kind: 'moved';
  readonly reason: string;
  /** The log of the store. */
  readonly log: string;
  readonly committedOffset: number;
  /** Where the log lost its tail: the end that is left. */
  readonly newFrom?: number;
  /** Number of records that were not applied and are gone, as far as any process saw them. */
  readonly lost: number;
  /** The offset of the present topic after which nothing was applied. */
  readonly continuesAfter: number;
}

/** Compares the store's offset with the current topic. The stop of a partition takes no part in it. */
export function judgePartition({ topic, topicId, watermarks, offset }: PartitionFacts): Judgement {
  if (watermarks === undefined || offset === undefined) {
    return unusable(
      'the store and the topic have not the same partitions; choose another prefix or topic name',
    );
  }
  const { committedOffset, source, seenEnd } = offset;
  const { low, high } = watermarks;
  if (source === undefined) {
    if (committedOffset === 0) return { kind: 'whole', committedOffset: low };
    return unusable(
      `the store has applied ${String(committedOffset)} records of its embedded log, whose offsets mean nothing in Kafka; ` +
        `start the catalog in the profile that it was used in, or with an empty store`,
    );
  }
  const moved = { kind: 'moved', log: source.topicId, committedOffset } as const;
  if (parseTopicId(source.topicId) !== topicId) {
    return {
      ...moved,
      reason:
        `the store has applied ${String(committedOffset)} records of topic ${source.topic} with id ${source.topicId}, but ${topic} ` +
        `now has id ${topicId}: it was created again, or is another topic`,
      lost: countUnapplied(offset, committedOffset, seenEnd),
      continuesAfter: low,
    };
  }
  if (committedOffset < low) {
    return {
      ...moved,
      reason: `the records from offset ${String(committedOffset)} to ${String(low - 1)} were removed before they were applied`,
      lost: countUnapplied(offset, committedOffset, low),
      continuesAfter: low,
    };
  }
  if (seenEnd > high) return { ...moved, ...toLostTail(offset, high) };
  return { kind: 'whole', committedOffset };
}

/** Describes the loss of a log's tail that ended at `newFrom` when the loss was found. */
export function toLostTail(
  offset: LogOffset,
  newFrom: number,
): Pick<MovedPartition, 'reason' | 'newFrom' | 'lost' | 'continuesAfter'> {
  const { committedOffset, seenEnd } = offset;
  return {
    reason:
      `the store has applied ${String(committedOffset)} records and the topic had ${String(seenEnd)}, but it ended at ${String(newFrom)}: ` +
      `it has lost some, or was put back from an older copy`,
    newFrom,
    lost: countUnapplied(offset, Math.max(committedOffset, newFrom), seenEnd),
    continuesAfter: Math.min(committedOffset, newFrom),
  };
}

/** Counts the records after one offset, up to another, that were not applied. */
function countUnapplied({ ahead }: LogOffset, after: number, upTo: number): number {
  const applied = ahead.filter((offset) => offset > after && offset <= upTo).length;
  return Math.max(0, upTo - after - applied);
}

/** The id that Kafka gave the topic of a log. */
export function parseTopicId(log: string): string {
  return log.split('.', 1)[0] ?? log;
}

/** The identity of a topic from an adoption on: offsets count again, so it is another log even where the topic is the same. */
export function adoptedIdentity(topicId: string, former: string): string {
  const [, count = '1'] = former.split('.');
  return `${topicId}.${String(Number(count) + 1)}`;
}

/** Ends the reason of a stop that waits for an operator. */
export const REMEDY =
  'Put the former topic back and run "stratalog log resume", or give up what it held with "stratalog log adopt"';

function unusable(reason: string): Judgement {
  return { kind: 'unusable', reason };
}
