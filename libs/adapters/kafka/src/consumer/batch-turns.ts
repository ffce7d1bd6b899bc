import type { IncomingRecord, PartitionQueue, Taken } from './partition-queue';

export interface TurnOptions<T> {
  /** Maximum number of records per batch. */
  readonly maxRecords: number;
  /**
   * The urns of a record, when only the records of a urn keep their order: others are delivered while the handler leaves records.
   * Without it the records of a partition keep it.
   */
  readonly urnsOf?: (value: T) => readonly string[];
}

/** The records of the next batch. */
interface Turn<T> {
  readonly taken: readonly Taken<T>[];
  /** True for records that the handler has left before. */
  readonly isOfLeft: boolean;
}

/** Maximum bytes per batch, unless a single record is larger. */
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
/**
 * Maximum number of records per batch of a partition whose last delivery left some. They take several commits, and each
 * would check all of them again.
 */
const MAX_RECORDS_PER_TURN = 4;
/** Maximum number of records of a partition that are applied ahead: each commit writes all their offsets. */
const MAX_AHEAD = 10_000;

/**
 * Chooses the records of the next batch. Where urns alone keep their order, records that were left and new ones take turns, overall
 * and in each queue.
 */
export class BatchTurns<T> {
  private isTurnOfLeft = false;

  constructor(private readonly options: TurnOptions<T>) {}

  /** `mayTakeLeft`: false while a batch of records that were left is in flight. */
  next(queues: readonly PartitionQueue<T>[], mayTakeLeft: boolean): Turn<T> {
    const share = Math.ceil(this.options.maxRecords / Math.max(1, queues.length));
    if (this.options.urnsOf === undefined) {
      const taken = takeShares(queues, ({ waiting, left }) => ({
        from: waiting,
        limit: left.size > 0 ? MAX_RECORDS_PER_TURN : share,
      }));
      return { taken, isOfLeft: false };
    }
    const fresh = takeShares(queues, (queue) => ({ from: this.listDeliverable(queue, false), limit: share }));
    const left = takeShares(
      queues.filter((queue) => mayTakeLeft && queue.left.size > 0),
      (queue) => ({ from: this.listDeliverable(queue, true), limit: queue.turn }),
    );
    const isDue = fresh.some(({ queue, records }) => queue.isTurnOfNew && records.length > 0);
    const isOfLeft = left.length > 0 && (fresh.length === 0 || (this.isTurnOfLeft && !isDue));
    this.isTurnOfLeft = !isOfLeft;
    return { taken: isOfLeft ? left : fresh, isOfLeft };
  }

  /** Lists the new records of a queue, or those that were left, that have no urn of an earlier record which is not listed. */
  private *listDeliverable(
    { waiting, ahead, left }: PartitionQueue<T>,
    ofLeft: boolean,
  ): Iterable<IncomingRecord<T>> {
    const behind = new Set<string>();
    let room = MAX_AHEAD - ahead.length;
    let isAhead = false;
    for (const each of waiting) {
      if (isAhead && room <= 0) return;
      const urns = this.listUrns(each);
      if (left.has(each.record) === ofLeft && !urns.some((urn) => behind.has(urn))) {
        room--;
        yield each;
      } else {
        isAhead = true;
        for (const urn of urns) behind.add(urn);
      }
    }
  }

  private listUrns({ record: { content } }: IncomingRecord<T>): readonly string[] {
    const { urnsOf } = this.options;
    return urnsOf === undefined || content.kind === 'undecodable' ? [] : urnsOf(content.value);
  }
}

/** Takes the first records of each queue, so that a busy one starves none; at least one of all, whatever its size. */
function takeShares<T>(
  queues: readonly PartitionQueue<T>[],
  select: (queue: PartitionQueue<T>) => {
    readonly from: Iterable<IncomingRecord<T>>;
    readonly limit: number;
  },
): readonly Taken<T>[] {
  let room = MAX_BATCH_BYTES;
  const taken: Taken<T>[] = [];
  for (const queue of queues) {
    const { from, limit } = select(queue);
    const records: IncomingRecord<T>[] = [];
    for (const each of from) {
      const isFirst = records.length === 0 && taken.length === 0;
      if (records.length >= limit || (each.bytes > room && !isFirst)) break;
      room -= each.bytes;
      records.push(each);
    }
    if (records.length > 0 || queue.waiting.length === 0) taken.push({ queue, records });
  }
  return taken;
}
