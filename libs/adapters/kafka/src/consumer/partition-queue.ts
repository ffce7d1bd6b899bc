import type { Batch, LogRange, LogRecord } from '@stratalog/ports';

export interface IncomingRecord<T> {
  readonly record: LogRecord<T>;
  readonly bytes: number;
}

/**
 * The waiting records of one partition. A partition that is read from another position gets a new queue, so that late
 * results cannot change it.
 */
export interface PartitionQueue<T> {
  readonly partition: number;
  committedOffset: number;
  /** Offsets beyond it, in ascending order, of records that are applied as well. */
  ahead: readonly number[];
  /** Kafka was read up to this offset, including offsets without a record. */
  through: number;
  waiting: IncomingRecord<T>[];
  isInFlight: boolean;
  /** Those that wait because the handler left them. */
  left: ReadonlySet<LogRecord<T>>;
  /** Maximum number of those per batch: the next one should leave none. */
  turn: number;
  /** True after a batch of those. */
  isTurnOfNew: boolean;
}

/** The records of a batch that come from one queue. */
export interface Taken<T> {
  readonly queue: PartitionQueue<T>;
  readonly records: readonly IncomingRecord<T>[];
}

export function openQueue<T>(
  partition: number,
  committedOffset: number,
  ahead: readonly number[],
): PartitionQueue<T> {
  return {
    partition,
    committedOffset,
    ahead,
    through: committedOffset,
    waiting: [],
    isInFlight: false,
    left: new Set(),
    turn: 1,
    isTurnOfNew: false,
  };
}

/** The range that a batch covers in a queue; with the records ahead where not all earlier ones need be taken. */
export function toRange<T>({ queue, records }: Taken<T>, mayPass: boolean): LogRange {
  const { partition, committedOffset: from, through, waiting, ahead: before } = queue;
  const other = waiting.findIndex((each, at) => each !== records[at]);
  const to = other === -1 ? through : (records[other - 1]?.record.offset ?? from);
  if (!mayPass) return { partition, from, to };
  const after = [...before, ...records.map(({ record }) => record.offset)].filter((offset) => offset > to);
  return { partition, from, to, ahead: { before, after: after.sort((one, two) => one - two) } };
}

/** Removes the handled records of a batch from a queue, and remembers the others as left. */
export function settle<T>(
  { queue, records }: Taken<T>,
  handled: Batch<T>,
  mayPass: boolean,
): { readonly done: readonly IncomingRecord<T>[]; readonly isWhole: boolean } {
  const handledRecords = new Set(handled.records);
  const isDone = ({ record }: IncomingRecord<T>): boolean => handledRecords.has(record);
  const done = records.filter(isDone);
  const isWhole = done.length === records.length;
  queue.isTurnOfNew = records.some(({ record }) => queue.left.has(record));
  if (!isWhole) queue.turn = Math.max(1, done.length);
  else if (queue.isTurnOfNew) queue.turn *= 2;
  const left = [...(mayPass ? queue.left : []), ...records.map(({ record }) => record)];
  queue.left = new Set(left.filter((record) => !handledRecords.has(record)));
  queue.waiting = queue.waiting.filter((each) => !isDone(each));
  const range = handled.ranges.find(({ partition }) => partition === queue.partition);
  queue.committedOffset = range?.to ?? queue.committedOffset;
  queue.ahead = range?.ahead?.after ?? [];
  return { done, isWhole };
}
