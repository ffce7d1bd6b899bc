import type { Batch, LogRange, LogRecord } from '@stratalog/ports';
import { endAhead } from './handled-part';

/**
 * Splits a batch into the records that are taken now and those for which `isLeft` is true. Offsets between two records
 * belong to the second.
 */
export function splitBatch<T>(
  { records, ranges }: Batch<T>,
  isLeft: (record: LogRecord<T>, at: number) => boolean,
): { readonly taken: Batch<T>; readonly rest: Batch<T> } {
  const left = records.filter(isLeft);
  const isTaken = new Set(records);
  for (const record of left) isTaken.delete(record);
  const taken = [...isTaken];
  const endOf = (range: LogRange): number => {
    const { partition, from, to, unlogged } = range;
    if (!left.some((record) => record.partition === partition)) return to;
    const own = taken.filter((record) => record.partition === partition);
    // Unlogged records are numbered by the commit that applies them; those that pass the log's own have no number.
    if (unlogged === true) return range.passing === undefined ? from + own.length : from;
    if (range.ahead === undefined) return own.at(-1)?.offset ?? from;
    const firstLeft = left.find((record) => record.partition === partition)?.offset ?? Infinity;
    return Math.min(to, own.findLast(({ offset }) => offset < firstLeft)?.offset ?? from);
  };
  const toAhead = ({ partition, ahead }: LogRange, end: number): readonly number[] | undefined => {
    if (ahead === undefined) return undefined;
    const own = taken.flatMap((record) => (record.partition === partition ? [record.offset] : []));
    return [...ahead.before, ...own].filter((offset) => offset > end).sort((one, other) => one - other);
  };
  const ends = ranges.map((range) => {
    const end = endOf(range);
    return { range, end, ahead: toAhead(range, end) };
  });
  return {
    taken: {
      records: taken,
      ranges: ends.map(({ range, end, ahead }) => ({ ...range, to: end, ...endAhead(range, ahead) })),
    },
    rest: {
      records: left,
      ranges: ends.flatMap(({ range, end, ahead: before }) => {
        if (!left.some(({ partition }) => partition === range.partition)) return [];
        const ahead =
          range.ahead === undefined || before === undefined ? {} : { ahead: { ...range.ahead, before } };
        return [{ ...range, from: end, ...ahead }];
      }),
    },
  };
}
